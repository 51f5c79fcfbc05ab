/** The command line: the operations on files and pipes, and the service. Loaded by cli.ts. */
import { readFileSync } from 'node:fs';
import { type Command, optionWords, outputFormats, readArguments, UsageError } from './cli/arguments.ts';
import { completionScript } from './cli/completion.ts';
import { allOperations, listedOperations, operationNamed } from './cli/find-operation.ts';
import { exitCodes, solveRequests } from './cli/solve-requests.ts';
import type { Operation } from './operations/operation.ts';
import { version } from './version.ts';

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

/** `plan` and `import`, which have options of their own, and `mcp`; undefined for every other command. */
async function apart(words: readonly string[]): Promise<number | undefined> {
  const asked = words[0] === 'help' ? words[1] : words[0];
  if (words.length === 1 && asked === 'mcp') return serveTools();
  if (asked !== 'plan' && asked !== 'import') return undefined;
  const { logHelp, readLogArguments } = await import('./cli/log-arguments.ts');
  if (words[0] === 'help' || words.includes('--help') || words.includes('-h')) {
    process.stdout.write(logHelp);
    return exitCodes.answered;
  }
  const command = readLogArguments(asked, words.slice(1));
  const { planLogs } = await import('./cli/plan-logs.ts');
  return planLogs(command);
}

/** `mcp`, which serves tools on stdin and stdout; its package is optional. */
async function serveTools(): Promise<number> {
  try {
    const { serveTools: serve } = await import('./cli/mcp-server.ts');
    const { readConfig } = await import('./config.ts');
    await serve(await allOperations(), readConfig(process.env), version);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new UsageError('mcp needs the optional package: npm install @modelcontextprotocol/sdk');
  }
  return exitCodes.answered;
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
    case 'completion': {
      const names = (await listedOperations()).map(({ name }) => name);
      const words = { operations: names, options: optionWords, formats: outputFormats };
      process.stdout.write(completionScript(command.shell, words));
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
      return solveRequests(command.operation, command.files, command.flags);
    }
  }
}

/** What a file system objects to, by Node's code. */
const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: 'there is no file',
  EISDIR: 'a folder is no request',
  EACCES: 'no permission to read',
};

/** The reason in words; of a fault of the file system with the file it is about. */
function reasonOf(error: Error): string {
  const fault = 'code' in error && typeof error.code === 'string' ? fileFaults[error.code] : undefined;
  if (fault === undefined) return error.message;
  return 'path' in error ? `${fault} ${String(error.path)}` : fault;
}

/** Answers one command line; what is wrong with it goes to stderr. Resolves with the exit code. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  try {
    return (await apart(words)) ?? (await execute(readArguments(words)));
  } catch (error) {
    const known = error instanceof Error && (error.name === 'UsageError' || error.name === 'ConfigurationError');
    const file =
      error instanceof Error &&
      'code' in error &&
      typeof error.code === 'string' &&
      ('path' in error || error.code in fileFaults);
    if (!known && !file) throw error;
    process.stderr.write(`crawl-optimizer: ${reasonOf(error)}\n`);
    if (error instanceof UsageError) process.stderr.write('crawl-optimizer --help says what there is\n');
    return exitCodes.refused;
  }
}
