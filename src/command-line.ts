/** The command line: the operations on files and pipes, and the service. Loaded by cli.ts. */
import { readFileSync } from 'node:fs';
import { type Command, readArguments, UsageError } from './cli/arguments.ts';
import { operationHelp, programHelp, serveHelp } from './cli/help.ts';
import { exitCodes, solveRequests } from './cli/solve-requests.ts';
import { suggestions } from './cli/suggest.ts';
import { ConfigurationError, readConfig } from './config.ts';
import { loadOperation } from './operations/load.ts';
import type { Operation } from './operations/operation.ts';
import { version } from './version.ts';

/** All operations: what the help lists. Each takes time to load, so that one operation is loaded alone. */
async function allOperations(): Promise<readonly Operation[]> {
  return (await import('./operations/index.ts')).operations;
}

async function operationNamed(name: string): Promise<Operation> {
  const alone = await loadOperation(name);
  if (alone !== undefined) return alone;
  const operations = await allOperations();
  const found = operations.find((operation) => operation.name === name);
  if (found !== undefined) return found;
  const near = suggestions(
    name,
    operations.map((operation) => operation.name),
  );
  const names = (near.length > 0 ? near : operations.map((operation) => operation.name)).join(', ');
  throw new UsageError(
    `no operation ${JSON.stringify(name)}; ${near.length > 0 ? `did you mean ${names}?` : `there are ${names}`}`,
  );
}

function printExample(operation: Operation, wanted: string | undefined): void {
  const example = wanted === undefined ? operation.examples[0] : operation.examples.find(({ name }) => name === wanted);
  if (example === undefined) {
    const names = operation.examples.map(({ name }) => name).join(', ');
    throw new UsageError(`${operation.name} has no example ${JSON.stringify(wanted)}; there are ${names}`);
  }
  process.stdout.write(readFileSync(new URL(`../examples/${example.name}.json`, import.meta.url), 'utf8'));
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
  return planLogs(command, readConfig(process.env));
}

/** `mcp`, which serves tools on stdin and stdout; its package is optional. */
async function serveTools(): Promise<number> {
  try {
    const { serveTools: serve } = await import('./cli/mcp-server.ts');
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
      process.stdout.write(programHelp(await allOperations(), width));
      return exitCodes.answered;
    case 'version':
      process.stdout.write(`${version}\n`);
      return exitCodes.answered;
    case 'serve-help':
      process.stdout.write(serveHelp(width));
      return exitCodes.answered;
    case 'operation-help':
      process.stdout.write(operationHelp(await operationNamed(command.operation), width));
      return exitCodes.answered;
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
      const operation = await operationNamed(command.operation);
      // Someone at a terminal who gave no file would wait for ever, and not know for what.
      if (command.files.length === 0 && process.stdin.isTTY === true) {
        process.stderr.write(`crawl-optimizer: no request given; name a file, or pipe one in\n\n`);
        process.stdout.write(operationHelp(operation, width));
        return exitCodes.refused;
      }
      return solveRequests(operation, command.files, command.flags, readConfig(process.env));
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

// A reader that has seen enough (`| head`) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 4));

try {
  process.exitCode = (await apart(process.argv.slice(2))) ?? (await execute(readArguments(process.argv.slice(2))));
} catch (error) {
  const known = error instanceof UsageError || error instanceof ConfigurationError;
  const file =
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    ('path' in error || error.code in fileFaults);
  if (!known && !file) throw error;
  process.stderr.write(`crawl-optimizer: ${reasonOf(error)}\n`);
  if (error instanceof UsageError) process.stderr.write('crawl-optimizer --help says what there is\n');
  process.exitCode = exitCodes.refused;
}
