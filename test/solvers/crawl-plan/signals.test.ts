import { describe, expect, it } from 'vitest';
import { crawlPlan, type RequestOf } from '../../../src/index.ts';
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';

type PlanRequest = RequestOf<typeof crawlPlan>;

const start = 1.7e9;
const hour = 3600;

function rowsOf<Row>(list: readonly Row[] | object | undefined): readonly Row[] {
  if (!Array.isArray(list)) throw new TypeError('an answer in rows');
  return list;
}

/** Changes and signals of one page over a time, by themselves. */
function record(rate: number, precision: number, recall: number, until: number, random: Random) {
  const times = (each: number): number[] => {
    const list: number[] = [];
    for (let t = 0; ; list.push(start + t)) {
      t += -Math.log(1 - random()) / each;
      if (t >= until) return list;
    }
  };
  const changes = times(rate);
  const signals = [...changes.filter(() => random() < recall), ...times((rate * recall * (1 - precision)) / precision)];
  return { changes, signals: signals.sort((a, b) => a - b) };
}

/** Plans an hour at a time, each from the signals seen by then; the share of time that copies are fresh. */
function followed(use: boolean, precision: number, recall: number): number {
  const random = seededRandom(42);
  const plans = 50;
  const rates = Array.from({ length: 60 }, () => Math.exp(1.2 * (random() + random() + random() - 1.5)) / (20 * hour));
  const records = rates.map((rate) => record(rate, precision, recall, plans * hour, random));
  const last = rates.map(() => start);
  const fetches = rates.map((): number[] => [start]);
  for (let k = 0; k < plans; k++) {
    const now = start + k * hour;
    const pages = rates.map((changeRate, i) => ({
      changeRate,
      lastCrawl: last[i],
      ...(use && { host: 'told', signals: records[i].signals.filter((t) => t <= now && t > last[i]) }),
    }));
    const { solution } = crawlPlan({
      now,
      interval: hour,
      crawls: 3,
      evenShare: 0,
      hosts: [{ host: 'told', precision, recall }],
      pages,
    });
    for (const { time, page } of rowsOf<{ time: number; page: number }>(solution?.schedule)) {
      last[page] = time;
      fetches[page].push(time);
    }
  }
  let fresh = 0;
  for (const [i, { changes }] of records.entries()) {
    const times = [...fetches[i], start + plans * hour];
    for (let k = 0; k + 1 < times.length; k++) {
      const change = changes.find((t) => t > times[k] && t < times[k + 1]);
      fresh += (change ?? times[k + 1]) - times[k];
    }
  }
  return fresh / (rates.length * plans * hour);
}

describe('signals in a plan', () => {
  it('keep more copies fresh with as many fetches, plan after plan', () => {
    const without = followed(false, 0.8, 0.8);
    const withSignals = followed(true, 0.8, 0.8);
    expect(without).toBeGreaterThan(0.4);
    expect(withSignals - without).toBeGreaterThan(0.08);
  });

  const base = {
    now: start + 30 * hour,
    interval: 6 * hour,
    crawls: 3,
    hosts: [{ host: 'a.example', precision: 0.8, recall: 0.7 }],
    pages: Array.from({ length: 6 }, (_, i) => ({
      id: `p${i}`,
      host: 'a.example',
      lastCrawl: start,
      changeRate: 1 / (40 * hour),
      signals: i === 4 ? [start + 5 * hour] : [],
    })),
  } satisfies PlanRequest;

  it('bring a page forward, and make its copy less likely to be fresh', () => {
    const answer = crawlPlan(base);
    const pages = rowsOf<{ staleness: number; fetchInterval: number | null }>(answer.solution?.pages);
    expect(rowsOf<{ page: number }>(answer.solution?.schedule)[0].page).toBe(4);
    expect(pages[0].staleness).toBeLessThan(1);
    expect(answer.longRun?.gap ?? Number.NaN).toBeGreaterThanOrEqual(-1e-6);
    expect(answer.longRun?.gap ?? Number.NaN).toBeLessThan(1e-3);
  });

  it('are evidence of the rate: pages with many change often', () => {
    const pages = [0, 2, 8].map((count) => ({
      lastCrawl: start,
      checks: [
        [20 * hour, false],
        [20 * hour, true],
      ] as [number, boolean][],
      signals: Array.from({ length: count }, (_, k) => start - 39 * hour + 4 * k * hour),
      host: 'told',
    }));
    {
      const { solution } = crawlPlan({ ...base, hosts: [{ host: 'told', precision: 0.7, recall: 0.9 }], pages });
      const rates = rowsOf<{ changeRate: number }>(solution?.pages).map(({ changeRate }) => changeRate);
      expect(rates[1]).toBeGreaterThan(rates[0]);
      expect(rates[2] / rates[1]).toBeGreaterThan(1.5);
    }
  });

  it('need precision and recall, another objective than age, and times before now', () => {
    const refused = (request: PlanRequest): string => {
      try {
        crawlPlan(request);
      } catch (error) {
        return JSON.stringify(error);
      }
      return 'answered';
    };
    expect(refused({ ...base, hosts: [] })).toContain('signal-quality-missing');
    const late = base.pages.map((page) => ({ ...page, signals: [base.now * 1000] }));
    expect(refused({ ...base, pages: late })).toContain('implausible-time');
    for (const objective of ['delay', 'harmonic'] as const) expect(refused({ ...base, objective })).toBe('answered');
  });

  it.each(['delay', 'harmonic'] as const)('bring a page forward under %s, the bound below the value', (objective) => {
    const planWith = (signals: number[]): ReturnType<typeof crawlPlan> =>
      crawlPlan({
        ...base,
        objective,
        pages: base.pages.map((page, i) => (i === 0 ? { ...page, signals } : page)),
      });
    const quiet = planWith([]);
    const signalled = planWith([3000, 2000, 1000].map((before) => base.now - before));
    const first = ({ solution }: typeof signalled): number =>
      rowsOf<{ nextFetch: number }>(solution?.pages)[0].nextFetch;
    expect(first(signalled)).toBeLessThan(first(quiet));
    for (const { longRun } of [quiet, signalled]) {
      expect(longRun?.bound).toBeLessThanOrEqual((longRun?.value ?? Number.NaN) * (1 + 1e-6));
    }
    // items wait that the quiet page has not
    expect(signalled.objective?.value).toBeGreaterThan(quiet.objective?.value ?? Number.NaN);
  });
});
