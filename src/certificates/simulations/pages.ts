/**
 * What must hold of a simulation of pages whatever chance did. Every mean lies in its interval, shares are shares, and
 * sums of other measures are their sums. The fetches are as many as the policy makes. Of Poisson pages at given rates
 * the freshness is known in closed form, and lies within some widths of its interval.
 */
import { listIn, numberIn, numbersIn, objectAt, textIn, type WireObject, WireTable } from '../wire.ts';
import { type Estimate, estimateFaults, estimateIn } from './estimate.ts';

const names = ['freshness', 'staleness', 'embarrassment', 'age', 'delay', 'fetches', 'changes', 'changesSeen'] as const;
const rounding = 1e-9;
/** Half-widths of a 95% interval within which the truth lies, from so many replications on. */
const widths = 4;
const fewest = 10;

const close = (a: number, b: number): boolean => Math.abs(a - b) <= rounding * Math.max(1, Math.abs(a), Math.abs(b));

/** What is wrong with an answer; empty where nothing is. */
export function verifyPageSimulation(request: WireObject, answer: WireObject): string[] {
  const pages = new WireTable(request.pages, 'pages');
  const weight = pages.numbers('weight', 1);
  const solution = objectAt(answer, 'solution');
  const told = objectAt(solution, 'measures');
  const measures = Object.fromEntries(names.map((name) => [name, estimateIn(told, name)]));
  const faults = Object.entries(measures).flatMap(([name, estimate]) => estimateFaults(name, estimate));
  const replications = numberIn(objectAt(answer, 'statistics'), 'replications');
  if (answer.status !== 'evaluated') faults.push('a simulation only evaluates');
  if (replications > numberIn(request, 'replications', 20)) faults.push('more replications than were asked for');
  faults.push(...sumFaults(measures, weight));
  faults.push(...fetchFaults(request, measures.fetches?.mean ?? Number.NaN));
  if (solution.pages === undefined) return faults;
  const rows = new WireTable(solution.pages, 'pages', weight.length);
  faults.push(...pageFaults(rows, weight, measures));
  return replications < fewest ? faults : [...faults, ...poissonFaults(request, pages, rows)];
}

type Measures = Readonly<Record<string, Estimate | null>>;

function sumFaults(
  { freshness, staleness, embarrassment, changes, changesSeen, fetches }: Measures,
  weight: Float64Array,
) {
  const faults: string[] = [];
  const fresh = freshness?.mean ?? Number.NaN;
  const stale = staleness?.mean ?? Number.NaN;
  if (!(fresh >= 0 && fresh <= 1)) faults.push(`freshness ${fresh} is no share`);
  if (!close(fresh + stale, 1)) faults.push(`freshness and staleness sum to ${fresh + stale}`);
  const total = weight.reduce((sum, each) => sum + each, 0);
  if (!close((embarrassment?.mean ?? Number.NaN) / total, stale))
    faults.push('embarrassment is not weight × staleness');
  for (const [name, most] of Object.entries({ changes, fetches })) {
    if (changesSeen !== null && most !== null && changesSeen.mean > most.mean + pagesBefore(weight))
      faults.push(`${changesSeen.mean} fetches saw changes, of ${most.mean} ${name}`);
  }
  return faults;
}

/** A change before time 0 may be seen after it, one a page. */
const pagesBefore = (weight: Float64Array): number => weight.length;

/** Whether there are as many fetches as the policy makes, but for one a page at either end. */
function fetchFaults(request: WireObject, fetches: number): string[] {
  const policy = objectAt(request, 'policy');
  const duration = numberIn(request, 'duration');
  const type = textIn(policy, 'type');
  const within = (expected: number, slack: number): string[] =>
    Math.abs(fetches - expected) <= slack + rounding * expected
      ? []
      : [`there are ${fetches} fetches; the policy makes ${expected}`];
  if (type === 'sequence') return within(numberIn(policy, 'crawlRate') * duration, 1);
  if (type === 'schedule') {
    const inside = listIn(policy, 'schedule').filter((row) => numberIn(objectAt(row), 'time') < duration);
    return within(inside.length, 0);
  }
  if (type !== 'rates' || policy.spacing === 'random') return [];
  const rates = numbersIn(policy, 'rates');
  return within(duration * rates.reduce((sum, rate) => sum + rate, 0), rates.length);
}

/** Whether the means over pages are those of the pages. */
function pageFaults(rows: WireTable, weight: Float64Array, measures: Measures): string[] {
  const total = weight.reduce((sum, each) => sum + each, 0);
  const faults: string[] = [];
  const compare = (name: string, of: (value: number, i: number) => number): void => {
    const sum = rows.numbers(name).reduce((all, value, i) => all + of(value, i), 0);
    const mean = measures[name]?.mean ?? Number.NaN;
    if (!close(sum, mean)) faults.push(`${name} of the pages comes to ${sum}, not ${mean}`);
  };
  for (const name of ['freshness', 'age']) compare(name, (value, i) => (value * weight[i]) / total);
  for (const name of ['fetches', 'changesSeen']) compare(name, (value) => value);
  for (const name of ['freshness', 'age', 'delay']) {
    const intervals = rows.lists(`${name}Interval`);
    for (const [i, mean] of rows.values(name).entries()) {
      if (typeof mean === 'number')
        faults.push(...estimateFaults(`${name} of page ${i}`, { mean, interval: (intervals[i] ?? []).map(Number) }));
    }
  }
  return faults;
}

/** Pages of a given change rate, each fetched at a rate of its own: (1 − e^{−y})/y at even gaps, 1/(1 + y) at random. */
function poissonFaults(request: WireObject, pages: WireTable, rows: WireTable): string[] {
  const policy = objectAt(request, 'policy');
  if (policy.type !== 'rates') return [];
  const rates = numbersIn(policy, 'rates');
  const changeRate = pages.numbers('changeRate', Number.NaN);
  const intervals = rows.lists('freshnessInterval');
  return Array.from(rows.numbers('freshness')).flatMap((fresh, i) => {
    const y = changeRate[i] / rates[i];
    if (!(y > 0 && y < Number.POSITIVE_INFINITY)) return [];
    const expected = policy.spacing === 'random' ? 1 / (1 + y) : -Math.expm1(-y) / y;
    const [low, high] = (intervals[i] ?? []).map(Number);
    const slack = (widths * (high - low)) / 2 + rounding;
    return Math.abs(fresh - expected) <= slack ? [] : [`page ${i} is fresh for ${fresh} of the time, not ${expected}`];
  });
}
