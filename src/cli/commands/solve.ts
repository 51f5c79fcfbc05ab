/** `<operation>`: requests in files or on stdin → answers on stdout, through the pipeline of the service. */
import { createReadStream, readFileSync } from 'node:fs';
import type { Operation } from '../../operations/operation.ts';
import type { Outcome } from '../../workers/pipeline.ts';
import { exitCodes, UsageError } from '../failures.ts';
import { operationNamed } from '../operations.ts';
import { readOptions } from '../options.ts';
import { answerCsv, answerTable, say, writeOut } from '../output.ts';
import { Solver } from '../solver/solver.ts';
import { operationHelp } from './operation-help.ts';
import { requestTexts } from './request-texts.ts';
import { settingsOf, textWithSettings } from './set-values.ts';
import { milliseconds, solveOptions } from './solve-options.ts';

const formats = ['table', 'csv', 'json'] as const;
type Format = (typeof formats)[number];

type SolveValues = ReturnType<typeof readOptions<typeof solveOptions>>['values'];

/** A table for a reader at a terminal, JSON for a program; who asks for JSON to be indented wants JSON. */
function formatOf({ format, pretty }: SolveValues): Format {
  if (format === undefined) return process.stdout.isTTY === true && pretty === undefined ? 'table' : 'json';
  const found = formats.find((each) => each === format);
  if (found !== undefined) return found;
  throw new UsageError(`--format must be ${formats.join(', ')}; got ${JSON.stringify(format)}`);
}

/** Where the width of the terminal is not known; one that does not know it says 0. */
export const terminalWidth = (): number => process.stdout.columns || 100;

/** Answers the requests of the files that the words name (`-`: stdin) and returns the exit code. */
export async function runOperation(name: string, words: readonly string[]): Promise<number> {
  const { values, positionals: files } = readOptions(words, solveOptions, (reason) => new UsageError(reason));
  const operation = await operationNamed(name);
  if (values.example === true) return printExample(operation, files[0]);
  // Someone at a terminal who gave no file would wait for ever, and not know for what.
  if (files.length === 0 && process.stdin.isTTY === true) {
    say('crawl-optimizer: no request given; name a file, or pipe one in\n');
    process.stdout.write(operationHelp(operation, Math.min(100, terminalWidth())));
    return exitCodes.refused;
  }
  return solveFiles(operation, files.length > 0 ? files : ['-'], values);
}

function printExample({ name, examples }: Operation, wanted: string | undefined): number {
  const example = wanted === undefined ? examples[0] : examples.find((each) => each.name === wanted);
  if (example === undefined) {
    const names = examples.map((each) => each.name).join(', ');
    throw new UsageError(`${name} has no example ${JSON.stringify(wanted)}; there are ${names}`);
  }
  process.stdout.write(readFileSync(new URL(`../../../examples/${example.name}.json`, import.meta.url), 'utf8'));
  if (process.stdout.isTTY === true) {
    const command = `crawl-optimizer ${name}`;
    say(`\nNext: ${command} --example > request.json, change it, then ${command} request.json`);
  }
  return exitCodes.answered;
}

/** From best to worst. */
const gravity: readonly number[] = [
  exitCodes.answered,
  exitCodes.notProved,
  exitCodes.infeasible,
  exitCodes.timeLimit,
  exitCodes.refused,
  exitCodes.internal,
];

async function solveFiles(operation: Operation, files: readonly string[], values: SolveValues): Promise<number> {
  const settings = settingsOf(values.set ?? []);
  const format = formatOf(values);
  const solver = new Solver({
    operation: operation.name,
    timeLimitMs: milliseconds(values['time-limit']),
    validateOnly: values['validate-only'] ?? false,
    progress: values.progress,
  });
  let worst: number = exitCodes.answered;
  try {
    for (const file of files) {
      for await (const { text, line } of requestTexts(file === '-' ? process.stdin : createReadStream(file))) {
        const outcome = await solver.solve(textWithSettings(text, settings));
        const code = exitCode(outcome, values.strict ?? false);
        if (gravity.indexOf(code) > gravity.indexOf(worst)) worst = code;
        const where = `${file === '-' ? 'stdin' : file}, line ${line}`;
        if (solver.interrupted && code === exitCodes.timeLimit) {
          say(`${where}: interrupted before there was any answer`);
          return exitCodes.interrupted;
        }
        await write(outcome, where, operation, format, values.pretty ?? process.stdout.isTTY === true);
        if (solver.interrupted) return exitCodes.interrupted;
      }
    }
  } finally {
    await solver.end();
  }
  if (worst === exitCodes.answered && format === 'table' && process.stderr.isTTY === true) {
    const command = `crawl-optimizer ${operation.name} ${files.join(' ')}`;
    say(`\nNext: ${command} --set <property>=<value>   what if`);
    say(`      ${command} --format csv > answer.csv     or json, for a program`);
  }
  return worst;
}

/** The code of one outcome; with `strict` an answer that is not proved has its own. */
export function exitCode(outcome: Outcome, strict: boolean): number {
  if (outcome.kind === 'problem') {
    if (outcome.problem.status === 504) return exitCodes.timeLimit;
    return outcome.problem.status >= 500 ? exitCodes.internal : exitCodes.refused;
  }
  if (outcome.facts.status === 'infeasible') return exitCodes.infeasible;
  return strict && outcome.facts.status === 'feasible' ? exitCodes.notProved : exitCodes.answered;
}

/** The answer on stdout; a problem in words on stderr, and as JSON on stdout where answers are JSON. */
async function write(outcome: Outcome, where: string, operation: Operation, format: Format, pretty: boolean) {
  if (outcome.kind === 'problem') sayProblem(outcome, where);
  if (format === 'json') {
    const json = outcome.kind === 'answer' ? outcome.json : JSON.stringify(outcome.problem);
    await writeOut(pretty ? JSON.stringify(JSON.parse(json), null, 2) : json);
  } else if (outcome.kind === 'answer') {
    const answer: unknown = JSON.parse(outcome.json);
    await writeOut(format === 'csv' ? answerCsv(answer) : answerTable(answer, terminalWidth(), operation));
  }
}

/** Says for people what a problem says for programs. */
export function sayProblem({ problem, failure }: Extract<Outcome, { kind: 'problem' }>, where: string): void {
  const errors = problem.errors ?? [];
  const more = (problem.errorCount ?? errors.length) - errors.length;
  const lines = [
    `${where}: ${problem.title}`,
    ...errors.map(({ pointer, detail }) => `  ${pointer === '' ? '(the request)' : pointer}: ${detail}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(errors.length === 0 ? [`  ${problem.detail}`] : []),
    ...(failure === undefined ? [] : [failure]),
  ];
  say(lines.join('\n'));
}
