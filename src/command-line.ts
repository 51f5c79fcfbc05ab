/** The command line: the operations on files and pipes, and the service. Loaded by cli.ts. */
import { existsSync, readFileSync } from 'node:fs';
import { type Command, readArguments, UnreadableInput, UsageError } from './cli/arguments.ts';
import { commands, listedOperations, operationNamed } from './cli/find-operation.ts';
import { exitCodes, solveRequests } from './cli/solve-requests.ts';
import { OutputError } from './cli/write-output.ts';
import type { Operation } from './operations/operation.ts';
import { version } from './version.ts';
import { printable } from './words/printable.ts';

function printExample(operation: Operation, wanted: string | undefined): void {
  const example = wanted === undefined ? operation.examples[0] : operation.examples.find(({ name }) => name === wanted);
  if (example === undefined) {
    const names = operation.examples.map(({ name }) => name).join(', ');
    throw new UsageError(`${operation.name} has no example ${JSON.stringify(wanted)}; there are ${names}`);
  }
  process.stdout.write(readFileSync(new URL(`../examples/${example.name}.json`, import.meta.url), 'utf8'));
  if (process.stdout.isTTY === true) {
    const answered = `crawl-optimizer ${operation.name}`;
    process.stderr.write(`\nNext: ${answered} --example > request.json, change it, then ${answered} request.json\n`);
  }
}

/** `plan`, `import` and `verify`, which have options of their own; undefined for every other command. */
async function apart(words: readonly string[]): Promise<number | undefined> {
  const asked = words[0] === 'help' ? words[1] : words[0];
  if (words[0] === 'help' && asked === 'tables') {
    const { runTables } = await import('./tables/index.ts');
    return runTables(['--help'], process.stdout, process.stderr);
  }
  if (asked === 'verify') {
    const { verifyAnswer } = await import('./cli/verify-answer.ts');
    return verifyAnswer(words[0] === 'help' ? ['--help'] : words.slice(1));
  }
  if (asked !== 'plan' && asked !== 'import' && asked !== 'compare') return undefined;
  const { logHelp, readLogArguments } = await import('./cli/log-arguments.ts');
  if (words[0] === 'help' || words.includes('--help') || words.includes('-h')) {
    const { compareHelp } = await import('./cli/compare-help.ts');
    process.stdout.write(asked === 'compare' ? compareHelp : logHelp);
    return exitCodes.answered;
  }
  const command = readLogArguments(asked, words.slice(1));
  if (asked === 'compare') return (await import('./cli/compare-logs.ts')).compareLogs(command);
  const { planLogs } = await import('./cli/plan-logs.ts');
  return planLogs(command);
}

async function execute(command: Command): Promise<number> {
  const width = Math.min(100, Math.max(60, process.stdout.columns ?? 100));
  switch (command.kind) {
    case 'help':
      process.stdout.write((await import('./cli/help.ts')).programHelp(await listedOperations(), width));
      return exitCodes.answered;
    case 'version':
      process.stdout.write(`${version}\n`);
      return exitCodes.answered;
    case 'serve-help': {
      const { describeConfiguration } = await import('./config.ts');
      process.stdout.write((await import('./cli/help.ts')).serveHelp(describeConfiguration(), width));
      return exitCodes.answered;
    }
    case 'operation-help': {
      const { operationHelp } = await import('./cli/operation-help.ts');
      process.stdout.write(operationHelp(await operationNamed(command.operation), width));
      return exitCodes.answered;
    }
    case 'example':
      printExample(await operationNamed(command.operation), command.example);
      return exitCodes.answered;
    case 'serve':
      if (command.host !== undefined) process.env.HOST = command.host;
      if (command.port !== undefined) process.env.PORT = command.port;
      await import('./server.ts');
      return exitCodes.answered;
    case 'tables': {
      const { runTables } = await import('./tables/index.ts');
      return runTables(command.words, process.stdout, process.stderr);
    }
    case 'solve': {
      // Someone at a terminal who gave no file would wait for ever, and not know for what.
      if (command.files.length === 0 && process.stdin.isTTY === true) {
        const { operationHelp } = await import('./cli/operation-help.ts');
        const operation = await operationNamed(command.operation);
        process.stderr.write(`crawl-optimizer: no request given; name a file, or pipe one in\n\n`);
        process.stdout.write(operationHelp(operation, width));
        return exitCodes.refused;
      }
      // A word that is no operation is said to be none before its files are looked for.
      if (command.files.some((file) => file !== '-' && !existsSync(file))) await operationNamed(command.operation);
      return solveRequests(command.operation, command.files, command.flags);
    }
  }
}

/** What a file system objects to, by Node's code. */
const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: 'there is no file',
  EISDIR: 'a folder cannot be read: name its files',
  EACCES: 'no permission to read',
};

/** The reason in words; of a fault of the file system with the file it is about. */
function reasonOf(error: Error): string {
  const fault = 'code' in error && typeof error.code === 'string' ? fileFaults[error.code] : undefined;
  if (fault === undefined) return error.message;
  return 'path' in error ? `${fault} ${String(error.path)}` : fault;
}

/** The help that has what a refused command line lacks: that of its command, where it names one. */
async function pointToHelp(subject: string): Promise<void> {
  const known = commands.includes(subject) || (await listedOperations()).some(({ name }) => name === subject);
  process.stderr.write(`crawl-optimizer ${known ? `${subject} ` : ''}--help says what there is\n`);
}

/** Answers one command line; what is wrong with it goes to stderr. Resolves with the exit code. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  try {
    return (await apart(words)) ?? (await execute(readArguments(words)));
  } catch (error) {
    const known = error instanceof Error && ['UsageError', 'ConfigurationError', 'LogRefusal'].includes(error.name);
    const file =
      error instanceof Error &&
      'code' in error &&
      typeof error.code === 'string' &&
      ('path' in error || error.code in fileFaults);
    if (error instanceof OutputError) {
      process.stderr.write(`crawl-optimizer: ${error.message}\n`);
      return exitCodes.internal;
    }
    if (!known && !file) {
      const what = error instanceof Error ? error.stack : String(error);
      process.stderr.write(`crawl-optimizer: a fault of the program: ${what}\n`);
      return exitCodes.internal;
    }
    process.stderr.write(`crawl-optimizer: ${printable(reasonOf(error))}\n`);
    if (error instanceof UsageError && !(error instanceof UnreadableInput)) await pointToHelp(words[0]);
    return exitCodes.refused;
  }
}
