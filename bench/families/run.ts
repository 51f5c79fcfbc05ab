/**
 * Every answer that is not proved, against the shortest honest rules: `node bench/families/run.ts [crawl-schedule …]
 * [--part] [--seed 1] [--every] [--json FILE] [--against FILE]`.
 *
 * Prints, by operation and by every value of every axis, the worst and the mean of value over the best rule and of the
 * gap. Ends with 1 where an answer is more than .1% above a rule. `--json` writes every result; `--against` compares
 * with such a file of another revision, instance by instance.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { play, type Result } from './contest.ts';
import { contests } from './contests.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    part: { type: 'boolean' },
    seed: { type: 'string', default: '1' },
    every: { type: 'boolean' },
    json: { type: 'string' },
    against: { type: 'string' },
  },
});

/** Maximum excess of an answer over a rule, relative; more is a failure. */
const tolerance = 1e-3;
const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;
const mean = (list: readonly number[]): number => list.reduce((sum, x) => sum + x / list.length, 0);
const words = (axes: Readonly<Record<string, string>>): string =>
  Object.entries(axes)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

function line(name: string, results: readonly Result[]): void {
  const excess = results.flatMap((result) => (result.excess === null ? [] : [result.excess]));
  const gaps = results.flatMap(({ gap }) => (gap === null ? [] : [gap]));
  const aboveCount = excess.filter((each) => each > tolerance).length;
  console.log(
    `${name.padEnd(28)} ${String(results.length).padStart(4)} ` +
      (excess.length === 0
        ? 'no rule; '
        : `value over rule: worst ${percent(Math.max(...excess))}, mean ${percent(mean(excess))}, above ${aboveCount}; `) +
      (gaps.length === 0 ? 'no gap' : `gap: worst ${percent(Math.max(...gaps))}, mean ${percent(mean(gaps))}`),
  );
}

const isFault = ({ excess }: Result): boolean => excess !== null && excess > tolerance;

/** Compares with the results of another revision: relative differences of values and gaps, and processor time. */
function compare(operation: string, results: readonly Result[], previous: readonly Result[]): void {
  const previousByAxes = new Map(previous.map((result) => [words(result.axes), result]));
  const pairs = results.flatMap((result) => {
    const previousResult = previousByAxes.get(words(result.axes));
    return previousResult === undefined ? [] : [{ result, other: previousResult }];
  });
  if (pairs.length === 0) return;
  const changes = pairs.map(({ result, other }) => result.value / other.value - 1);
  const gaps = pairs.map(({ result, other }) => (result.gap ?? 0) - (other.gap ?? 0));
  const ms = (of: (pair: (typeof pairs)[number]) => number): number => mean(pairs.map(of));
  console.log(
    `${operation}: ${pairs.length} of ${results.length} instances in both; value worst +${percent(Math.max(...changes))}, ` +
      `mean ${percent(mean(changes))}; gap worst +${percent(Math.max(...gaps))}, mean ${percent(mean(gaps))}; ` +
      `${ms(({ result }) => result.ms).toFixed(0)} ms in place of ${ms(({ other }) => other.ms).toFixed(0)}`,
  );
}

const baseline: Record<string, Result[]> =
  values.against === undefined ? {} : JSON.parse(readFileSync(values.against, 'utf8'));
const resultsByContest: Record<string, Result[]> = {};
let faults = 0;
for (const [number, contest] of contests.entries()) {
  if (positionals.length > 0 && !positionals.includes(contest.operation)) continue;
  const results: Result[] = [];
  for (const instance of contest.instances(values.part === true ? 'part' : 'grid', Number(values.seed))) {
    const result = play(instance);
    results.push(result);
    if (values.every === true || isFault(result)) {
      const gap = result.gap === null ? 'none' : percent(result.gap);
      const excessText = `${result.excess === null ? 'no rule' : percent(result.excess)} over the ${result.rule} (${result.value} against ${result.best})`;
      console.log(`  ${words(result.axes)}: ${excessText}, gap ${gap}, ${result.ms.toFixed(0)} ms`);
    }
  }
  if (results.length === 0) continue;
  const key = `${number} ${contest.operation}`;
  resultsByContest[key] = results;
  line(contest.operation, results);
  for (const axis of Object.keys(results[0].axes)) {
    for (const value of new Set(results.map(({ axes }) => axes[axis]))) {
      line(
        `  ${axis} ${value}`,
        results.filter(({ axes }) => axes[axis] === value),
      );
    }
  }
  faults += results.filter(isFault).length;
  compare(contest.operation, results, baseline[key] ?? []);
}
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(resultsByContest));
process.exitCode = faults > 0 ? 1 : 0;
