/** Requests → answers on stdout, through the pipeline of the service, in a thread of this process. */
import { createReadStream, type ReadStream } from 'node:fs';
import { printable } from '../words/printable.ts';
import type { Outcome } from '../workers/pipeline.ts';
import type { OutputFormat, SolveFlags } from './arguments.ts';
import { answerUnits } from './solve/answer-units.ts';
import { requestTexts } from './solve/request-texts.ts';
import { settingsOf, withSettings } from './solve/set-values.ts';
import { interruptedCode, Solver } from './solve/solver.ts';
import { answerCsv, answerTable } from './solve/table-output.ts';
import { writeOut } from './write-output.ts';

/** What the exit code says; of several requests the gravest. */
export const exitCodes = {
  answered: 0,
  infeasible: 1,
  refused: 2,
  timeLimit: 3,
  internal: 4,
  /** Only with --strict. */
  notProved: 5,
} as const;

function exitCode(outcome: Outcome, strict: boolean): number {
  if (outcome.kind === 'problem') {
    if (outcome.problem.status === 504) return exitCodes.timeLimit;
    return outcome.problem.status >= 500 ? exitCodes.internal : exitCodes.refused;
  }
  if (outcome.facts.status === 'infeasible') return exitCodes.infeasible;
  return strict && outcome.facts.status === 'feasible' ? exitCodes.notProved : exitCodes.answered;
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

/** A table for a reader at a terminal, JSON for a program; who asks for JSON to be indented wants JSON. */
function formatOf({ format, pretty }: SolveFlags): OutputFormat {
  return format ?? (process.stdout.isTTY === true && pretty === undefined ? 'table' : 'json');
}

/** Answers the requests of each file (`-`: stdin) and returns the exit code. */
export async function solveRequests(operation: string, files: readonly string[], flags: SolveFlags): Promise<number> {
  const settings = settingsOf(flags.set);
  const format = formatOf(flags);
  const progress = flags.progress ?? process.stderr.isTTY === true;
  const { timeLimitMs, validateOnly } = flags;
  const solver = new Solver({ operation, timeLimitMs, validateOnly, progress });
  let worst = 0;
  try {
    for (const file of files.length > 0 ? files : ['-']) {
      const input = file === '-' ? process.stdin : createReadStream(file);
      let position = 0;
      for await (const text of unlessRefused(requestTexts(input), solver, input)) {
        position++;
        const outcome = await solver.solve(withSettings(text, settings));
        const code = exitCode(outcome, flags.strict);
        if (gravity.indexOf(code) > gravity.indexOf(worst)) worst = code;
        const where = `${file === '-' ? 'stdin' : file}, request ${position}`;
        if (solver.interrupted && code === exitCodes.timeLimit) {
          process.stderr.write(`${where}: interrupted before there was any answer\n`);
          return interruptedCode;
        }
        if (outcome.kind === 'problem') explain(outcome, where);
        await show(outcome, operation, format, flags.pretty ?? process.stdout.isTTY === true);
        if (solver.interrupted) return interruptedCode;
      }
    }
  } finally {
    await solver.end();
  }
  if (worst === 0 && format === 'table' && process.stderr.isTTY === true) suggestNext(operation, files);
  return worst;
}

/** The texts, for as long as there is such an operation: that there is none is said without waiting for the first. */
async function* unlessRefused(
  texts: AsyncGenerator<string>,
  { refused }: Solver,
  input: NodeJS.ReadStream | ReadStream,
): AsyncGenerator<string> {
  try {
    for (;;) {
      const { done, value } = await Promise.race([texts.next(), refused]);
      if (done === true) return;
      yield value;
    }
  } finally {
    // What is still to be read would hold the process open.
    input.destroy();
  }
}

/** What a reader at a terminal may want to do with the answer. */
function suggestNext(operation: string, files: readonly string[]): void {
  const command = `crawl-optimizer ${operation} ${files.join(' ') || '-'}`;
  process.stderr.write(`\nNext: ${command} --set <property>=<value>   what if\n`);
  process.stderr.write(`      ${command} --format csv > answer.csv     or json, for a program\n`);
}

/** Says on stderr, for people, what the problem on stdout says. */
function explain({ problem, failure }: Extract<Outcome, { kind: 'problem' }>, where: string): void {
  const lines = [`${where}: ${problem.title}`];
  const errors = problem.errors ?? [];
  for (const { pointer, detail } of errors) lines.push(`  ${pointer === '' ? '(the request)' : pointer}: ${detail}`);
  const more = (problem.errorCount ?? errors.length) - errors.length;
  if (more > 0) lines.push(`  and ${more} more`);
  if (errors.length === 0) lines.push(`  ${problem.detail}`);
  if (failure !== undefined) lines.push(failure);
  process.stderr.write(`${printable(lines.join('\n'))}\n`);
}

/** Where the width of the terminal is not known. */
const usualWidth = 100;

async function show(outcome: Outcome, operation: string, format: OutputFormat, pretty: boolean): Promise<void> {
  if (format === 'json') {
    await write(outcome.kind === 'answer' ? outcome.json : JSON.stringify(outcome.problem), pretty);
    return;
  }
  // What was refused has been said on stderr, in words.
  if (outcome.kind === 'problem') return;
  const answer: unknown = JSON.parse(outcome.json);
  // A terminal that does not know its width says 0.
  const width = process.stdout.columns || usualWidth;
  await write(format === 'csv' ? answerCsv(answer) : answerTable(answer, width, await answerUnits(operation)), false);
}

async function write(json: string, pretty: boolean): Promise<void> {
  const text = pretty ? JSON.stringify(JSON.parse(json), null, 2) : json;
  await writeOut(text);
}
