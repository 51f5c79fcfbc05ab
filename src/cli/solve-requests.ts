/** Requests → answers on stdout, through the pipeline of the service, in this process. */
import { once } from 'node:events';
import { createReadStream, writeSync } from 'node:fs';
import type { Config } from '../config.ts';
import { now } from '../dispatch/clock.ts';
import { type Outcome, prepare, type RunLimits, run, validated } from '../dispatch/pipeline.ts';
import type { Operation } from '../operations/operation.ts';
import { deadlineBudget } from '../solvers/budget.ts';
import type { SolveFlags } from './arguments.ts';
import { ProgressBar } from './progress-bar.ts';
import { requestTexts } from './request-texts.ts';

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

/** Answers the requests of each file (`-`: stdin) and returns the exit code. */
export async function solveRequests(
  operation: Operation,
  files: readonly string[],
  flags: SolveFlags,
  config: Config,
): Promise<number> {
  const limits: RunLimits = { ...config, defaultTimeLimitMs: flags.timeLimitMs ?? config.defaultTimeLimitMs };
  const pretty = flags.pretty ?? process.stdout.isTTY === true;
  let worst = 0;
  for (const file of files.length > 0 ? files : ['-']) {
    const input = file === '-' ? process.stdin : createReadStream(file);
    let position = 0;
    for await (const text of requestTexts(input)) {
      position++;
      const outcome = answer(operation, text, limits, flags);
      const code = exitCode(outcome, flags.strict);
      if (gravity.indexOf(code) > gravity.indexOf(worst)) worst = code;
      if (outcome.kind === 'problem') explain(outcome, `${file === '-' ? 'stdin' : file}, request ${position}`);
      await write(outcome.kind === 'answer' ? outcome.json : JSON.stringify(outcome.problem), pretty);
    }
  }
  return worst;
}

function answer(operation: Operation, text: string, limits: RunLimits, flags: SolveFlags): Outcome {
  const ready = prepare(operation, text, limits);
  if (ready.kind !== 'ready') return ready;
  if (flags.validateOnly) return validated(ready);
  const bar = new ProgressBar(operation.name, (line) => writeSync(2, line), now);
  const shown = flags.progress ?? process.stderr.isTTY === true;
  const budget = deadlineBudget({
    clock: now,
    deadline: now() + ready.timeLimitMs,
    seed: ready.request.seed,
    report: (progress) => {
      if (shown) bar.show(progress);
    },
  });
  try {
    return run(ready, budget, now);
  } finally {
    bar.clear();
  }
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
  process.stderr.write(`${lines.join('\n')}\n`);
}

async function write(json: string, pretty: boolean): Promise<void> {
  const text = pretty ? JSON.stringify(JSON.parse(json), null, 2) : json;
  if (!process.stdout.write(`${text}\n`)) await once(process.stdout, 'drain');
}
