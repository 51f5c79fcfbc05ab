/** The command line: the operations on files and pipes. Loaded by the entry, src/cli.ts. */
import { version } from '../package.ts';
import { exitCodes, OutputError, UnreadableInput, UsageError } from './failures.ts';
import { findOperation, operationGroups } from './operations.ts';
import { type CommandHelp, commandHelp, exitCodeHelp, helpWidth, twoColumns } from './options.ts';
import { writeStderr } from './output.ts';

type Run = (words: readonly string[]) => Promise<number>;

/** A command other than an operation. */
interface Command {
  readonly run: Run;
  /** If left out, the command prints its own help for `--help`. */
  readonly help?: CommandHelp;
}

/** Commands implemented outside this folder: `tables` and the server. */
export interface ExternalCommands {
  readonly runTables: Run;
  readonly serve: () => Promise<unknown>;
}

const commands = [
  ['plan <log ...> --crawls <n>', 'from crawl logs to what to fetch next'],
  ['compare <log ...>', 'what to expect of your own rule and of a plan'],
  ['import <log ...>', 'from crawl logs to a request for crawl-plan'],
  ['<operation> [file ...]', 'answer the requests of files, or of stdin (-)'],
  ['verify <request> <answer>', 'check an answer without the solver'],
  ['tables rates|price|plan|sql …', 'page tables in files and databases'],
  ['serve [--host H] [--port P]', 'the HTTP service, with its /docs and /console'],
] as const;

const commandNames = ['plan', 'compare', 'import', 'verify', 'tables', 'serve'];

/** The command of this name; undefined if there is none. */
async function findCommand(name: string, { runTables, serve }: ExternalCommands): Promise<Command | undefined> {
  if (name === 'plan' || name === 'import') {
    const { importHelp, planHelp, runImport, runPlan } = await import('./commands/plan.ts');
    return name === 'plan' ? { help: planHelp, run: runPlan } : { help: importHelp, run: runImport };
  }
  if (name === 'compare') return import('./commands/compare.ts');
  if (name === 'verify') return import('./commands/verify.ts');
  if (name === 'serve') return (await import('./commands/serve.ts')).serveCommand(serve);
  return name === 'tables' ? { run: runTables } : undefined;
}

function programHelp(width: number): string {
  const groups = [...operationGroups()].map(([group, names]) => [group, names.join(', ')] as const);
  return `crawl-optimizer: what a web-crawler controller should do, provably

Commands (crawl-optimizer <command> --help)
${twoColumns(commands, width).join('\n')}

Operations (--help says what each answers, --example prints a request)
${twoColumns(groups, width).join('\n')}

${exitCodeHelp}`;
}

async function execute([name, ...words]: readonly string[], externalCommands: ExternalCommands): Promise<number> {
  const asksHelp = words.includes('--help') || words.includes('-h');
  if (name === undefined || name === '--help' || name === '-h') {
    process.stdout.write(programHelp(helpWidth()));
  } else if (name === '--version' || name === '-v') {
    process.stdout.write(`${version}\n`);
  } else if (name.startsWith('-')) {
    throw new UsageError(`name a command or an operation before ${name}`);
  } else {
    const command = await findCommand(name, externalCommands);
    if (command === undefined) {
      const operation = await findOperation(name, commandNames);
      if (!asksHelp) return (await import('./commands/solve.ts')).runOperation(operation, words);
      const { operationHelp } = await import('./commands/operation-help.ts');
      process.stdout.write(operationHelp(operation, helpWidth()));
    } else if (!asksHelp || command.help === undefined) return command.run(words);
    else process.stdout.write(commandHelp(command.help));
  }
  return exitCodes.answered;
}

/** Messages about file system errors, by Node's code. */
const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: 'there is no file',
  EISDIR: 'a folder cannot be read: name its files',
  EACCES: 'no permission to read',
};

/** The message of an error by the user or the file system, with the file's name; undefined for any other error. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (['UsageError', 'ConfigurationError', 'LogRefusal'].includes(error.name)) return error.message;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const path = 'path' in error ? String(error.path) : undefined;
  if (fileFaults[code] === undefined) return path === undefined ? undefined : error.message;
  return path === undefined ? fileFaults[code] : `${fileFaults[code]} ${path}`;
}

/** Runs one command line and resolves with the exit code; errors go to stderr. */
export async function runCommandLine(words: readonly string[], externalCommands: ExternalCommands): Promise<number> {
  try {
    return await execute(words, externalCommands);
  } catch (error) {
    if (error instanceof OutputError) {
      writeStderr(`crawl-optimizer: ${error.message}`);
      return exitCodes.internal;
    }
    const reason = reasonOf(error);
    if (reason === undefined) {
      writeStderr(`crawl-optimizer: a fault of the program: ${error instanceof Error ? error.stack : String(error)}`);
      return exitCodes.internal;
    }
    writeStderr(`crawl-optimizer: ${reason}`);
    if (error instanceof UsageError && !(error instanceof UnreadableInput)) {
      const [name] = words;
      const names = [...commandNames, ...operationGroups().values()].flat();
      writeStderr(`crawl-optimizer ${names.includes(name) ? `${name} ` : ''}--help says what there is`);
    }
    return exitCodes.refused;
  }
}
