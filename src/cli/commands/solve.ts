/** `<operation>`: answers requests in files or on stdin, through the pipeline of the service. */
import { createReadStream, readFileSync } from 'node:fs';
import { readConfig } from '../../config.ts';
import type { Operation } from '../../operations/operation.ts';
import { typedValue, withProperty } from '../../schemas/words/typed-value.ts';
import { deadlineBudget } from '../../solvers/budget.ts';
import { now } from '../../workers/clock.ts';
import { type Outcome, parse, prepare, prepareParsed, run, validationAnswer } from '../../workers/pipeline.ts';
import { exitCodes, UsageError } from '../failures.ts';
import { flagOption, readOptions, textOption, textsOption } from '../options.ts';
import { answerCsv, answerTable, terminalWidth, writeStderr, writeStdout } from '../output.ts';
import { withProgress } from '../progress-line.ts';
import { requestTexts } from './request-texts.ts';
import { parseSetting, parseTimeLimit, type Setting } from './settings.ts';

export const solveOptions = {
  format: textOption('table|csv|json', 'default: table on a terminal, json in a pipe'),
  set: textsOption('<field>=<value>', 'change the request: interval=6h'),
  'time-limit': textOption('<limit>', '30s, 2m or milliseconds, if the request has none'),
  strict: flagOption('exit with 5 if an answer is not proved optimal'),
  'validate-only': flagOption('check requests and estimate their work only'),
  example: flagOption('print a request; --example <name>: another of examples/'),
} as const;

const formats = ['table', 'csv', 'json'] as const;
type Format = (typeof formats)[number];

type SolveValues = ReturnType<typeof readOptions<typeof solveOptions>>['values'];

/** A table for a reader at a terminal, JSON for a program. */
function formatOf({ format }: SolveValues): Format {
  if (format === undefined) return process.stdout.isTTY === true ? 'table' : 'json';
  const match = formats.find((each) => each === format);
  if (match !== undefined) return match;
  throw new UsageError(`--format must be ${formats.join(', ')}; got ${JSON.stringify(format)}`);
}

/** Answers the requests of the files that the words name (`-`: stdin) and returns the exit code. */
export async function runOperation(operation: Operation, words: readonly string[]): Promise<number> {
  const { values, positionals: files } = readOptions(words, solveOptions);
  if (values.example === true) return printExample(operation, files[0]);
  // at a terminal without a file the command would wait for input without saying so
  if (files.length === 0 && process.stdin.isTTY === true) {
    throw new UsageError('no request given; name a file, or pipe one in');
  }
  return solveFiles(operation, files.length > 0 ? files : ['-'], values);
}

function printExample({ name, examples }: Operation, exampleName: string | undefined): number {
  const example = exampleName === undefined ? examples[0] : examples.find((each) => each.name === exampleName);
  if (example === undefined) {
    const names = examples.map((each) => each.name).join(', ');
    throw new UsageError(`${name} has no example ${JSON.stringify(exampleName)}; there are ${names}`);
  }
  process.stdout.write(readFileSync(new URL(`../../../examples/${example.name}.json`, import.meta.url), 'utf8'));
  if (process.stdout.isTTY === true) {
    const command = `crawl-optimizer ${name}`;
    writeStderr(`\nNext: ${command} --example > request.json, change it, then ${command} request.json`);
  }
  return exitCodes.answered;
}

/** Exit codes from the best to the worst outcome. */
const codesByGravity: readonly number[] = [
  exitCodes.answered,
  exitCodes.notProved,
  exitCodes.infeasible,
  exitCodes.timeLimit,
  exitCodes.refused,
  exitCodes.internal,
];

async function solveFiles(operation: Operation, files: readonly string[], values: SolveValues): Promise<number> {
  const { strict = false, 'validate-only': validateOnly } = values;
  const set = (values.set ?? []).map(parseSetting);
  const terms = { timeLimitMs: parseTimeLimit(values['time-limit']), validateOnly };
  const format = formatOf(values);
  let worstCode: number = exitCodes.answered;
  for (const file of files) {
    for await (const { text, line } of requestTexts(file === '-' ? process.stdin : createReadStream(file))) {
      const outcome = solve(operation, set.length === 0 ? text : withSettings(text, set), terms);
      const code = exitCodeOf(outcome, strict);
      if (codesByGravity.indexOf(code) > codesByGravity.indexOf(worstCode)) worstCode = code;
      await write(outcome, `${file === '-' ? 'stdin' : file}, line ${line}`, operation, format);
    }
  }
  if (worstCode === exitCodes.answered && format === 'table' && process.stderr.isTTY === true) {
    const command = `crawl-optimizer ${operation.name} ${files.join(' ')}`;
    writeStderr(`\nNext: ${command} --set <property>=<value>   what if`);
    writeStderr(`      ${command} --format csv > answer.csv     or json, for a program`);
  }
  return worstCode;
}

interface Terms {
  /** Milliseconds, for requests without options.timeLimitMs; by default that of the environment. */
  readonly timeLimitMs?: number | undefined;
  /** Check and estimate without solving. */
  readonly validateOnly?: boolean | undefined;
}

/**
 * Solves a request in this thread: the command line has nothing else to do meanwhile, and Ctrl-C ends the process.
 *
 * @throws ConfigurationError if a variable of the environment is invalid
 */
export function solve(operation: Operation, request: unknown, { timeLimitMs, validateOnly }: Terms = {}): Outcome {
  const { defaultTimeLimitMs, maxTimeLimitMs, maxWork } = readConfig(process.env);
  const limits = { defaultTimeLimitMs: timeLimitMs ?? defaultTimeLimitMs, maxTimeLimitMs, maxWork };
  const ready =
    typeof request === 'string' ? prepare(operation, request, limits) : prepareParsed(operation, request, limits);
  if (ready.kind !== 'ready') return ready;
  if (validateOnly) return validationAnswer(ready);
  const { seed } = ready.request;
  const deadline = now() + ready.timeLimitMs;
  return withProgress(operation.name, process.stderr, (report) =>
    run(ready, deadlineBudget({ clock: now, deadline, seed, report }), now),
  );
}

/** Applies `--set`. A text that is no JSON object stays unchanged: validation refuses it. @throws UsageError */
function withSettings(text: string, set: readonly Setting[]): unknown {
  const parsed = parse(text);
  if (parsed.kind !== 'parsed' || typeof parsed.value !== 'object') return text;
  return set.reduce<unknown>(
    (request, [name, value]) =>
      withProperty(request, name, typedValue(value), (reason) => {
        throw new UsageError(`--set ${reason}`);
      }),
    parsed.value,
  );
}

/** The exit code of an outcome; with `strict` an answer that is not proved optimal has its own. */
export function exitCodeOf(outcome: Outcome, strict: boolean): number {
  if (outcome.kind === 'problem') {
    if (outcome.problem.status === 504) return exitCodes.timeLimit;
    return outcome.problem.status >= 500 ? exitCodes.internal : exitCodes.refused;
  }
  if (outcome.facts.status === 'infeasible') return exitCodes.infeasible;
  return strict && outcome.facts.status === 'feasible' ? exitCodes.notProved : exitCodes.answered;
}

/** The answer on stdout; a problem in words on stderr, and as JSON on stdout where answers are JSON. */
async function write(outcome: Outcome, where: string, operation: Operation, format: Format) {
  if (outcome.kind === 'problem') reportProblem(outcome, where);
  if (format === 'json') {
    const json = outcome.kind === 'answer' ? outcome.body : JSON.stringify(outcome.problem);
    await writeStdout(process.stdout.isTTY === true ? JSON.stringify(JSON.parse(json), null, 2) : json);
  } else if (outcome.kind === 'answer') {
    const answer: unknown = JSON.parse(outcome.body);
    await writeStdout(format === 'csv' ? answerCsv(answer) : answerTable(answer, terminalWidth(), operation));
  }
}

/** Writes a problem on stderr as text. */
export function reportProblem({ problem, failure }: Extract<Outcome, { kind: 'problem' }>, where: string): void {
  const errors = problem.errors ?? [];
  const omittedErrors = (problem.errorCount ?? errors.length) - errors.length;
  const lines = [
    `${where}: ${problem.title}`,
    ...errors.map(({ pointer, detail }) => `  ${pointer === '' ? '(the request)' : pointer}: ${detail}`),
    ...(omittedErrors > 0 ? [`  and ${omittedErrors} more`] : []),
    ...(errors.length === 0 ? [`  ${problem.detail}`] : []),
    ...(failure === undefined ? [] : [failure]),
  ];
  writeStderr(lines.join('\n'));
}
