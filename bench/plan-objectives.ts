/**
 * What a plan of 100,000 pages costs under each objective, and with signals, beside one under freshness. Processor time
 * of the better of two is to be at most 1.3 times that of freshness, and twice with signals. And a million Poisson
 * pages given whole crawls under each objective.
 */
import { crawlAllocationRequest } from '../src/schemas/crawl-allocation/index.ts';
import { unlimitedBudget } from '../src/solvers/budget.ts';
import { allocateCrawls } from '../src/solvers/crawl-allocation/index.ts';
import { type CrawlPlanProblem, plainPages, planCrawls } from '../src/solvers/crawl-plan/index.ts';
import { checkHistory } from '../src/solvers/estimation/index.ts';
import { type Random, seededRandom } from '../src/solvers/numerics/random/random.ts';
import { standardNormal } from '../src/solvers/numerics/random/random-variates.ts';
import { objectiveNames } from '../src/solvers/pages/objectives/index.ts';
import type { Benchmark } from './benchmark.ts';

const pages = 100_000;
const checks = 30;
const day = 86_400;
const now = 1_760_000_000;
const qualities = [
  [0.6, 0.6],
  [0.8, 0.5],
  [0.9, 0.9],
] as const;

/** A Poisson number by the product of uniforms. */
function poisson(mean: number, random: Random): number {
  let count = 0;
  for (let left = Math.exp(-mean) / random(); left < 1; left /= random()) count++;
  return count;
}

/** Pages with lognormal rates, checked every other day or so, each with the signals that came meanwhile. */
function record(): CrawlPlanProblem & Pick<Required<CrawlPlanProblem>, 'signals'> {
  const random = seededRandom(3);
  const rate = Float64Array.from({ length: pages }, () => Math.exp(1.5 * standardNormal(random)) / (20 * day));
  const history = checkHistory(
    Array.from(rate, (each) =>
      Array.from({ length: checks }, (): [number, number] => {
        const gap = 2 * day * (0.5 + random());
        return [gap, random() < 1 - Math.exp(-each * gap) ? 1 : 0];
      }),
    ),
  );
  const lastCrawl = rate.map(() => now - 2 * day * random());
  const [precision, recall] = [0, 1].map((k) => rate.map((_, i) => qualities[i % qualities.length][k]));
  const signalRate = rate.map((each, i) => (each * recall[i]) / precision[i]);
  return {
    ...plainPages(pages),
    now,
    interval: day,
    slotsByCrawler: Uint32Array.of(pages / 2),
    history,
    lastCrawl,
    evenShare: 0.05,
    signals: {
      precision,
      recall,
      since: rate.map((_, i) => poisson(signalRate[i] * (now - lastCrawl[i]), random)),
      byCheck: history.elapsed.map((gap, k) => poisson(signalRate[Math.floor(k / checks)] * gap, random)),
    },
  };
}

/** Processor seconds of the better of two runs. */
function seconds(work: () => void): number {
  return Math.min(
    ...[0, 1].map(() => {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1e6;
    }),
  );
}

function plans(): Benchmark {
  const figures: Record<string, string> = {};
  let problem: ReturnType<typeof record> | null = null;
  const solve = (more: Partial<CrawlPlanProblem>): void => {
    if (problem === null) throw new Error('not prepared');
    const answer = planCrawls({ ...problem, signals: undefined, ...more }, unlimitedBudget());
    if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  };
  return {
    name: `crawl-plan, ${pages} pages, each objective and signals`,
    target: 'at most 1.3 times freshness, twice with signals',
    check() {
      problem = record();
      const { signals } = problem;
      const freshness = seconds(() => solve({}));
      const told = (name: string, more: Partial<CrawlPlanProblem>): void => {
        const own = seconds(() => solve(more));
        figures[name] = `${own.toFixed(2)} s, ${(own / freshness).toFixed(2)} times freshness`;
      };
      figures.freshness = `${freshness.toFixed(2)} s`;
      for (const objective of objectiveNames) if (objective !== 'freshness') told(objective, { objective });
      told('freshness with signals', { signals });
      told('delay with signals', { signals, objective: 'delay' });
    },
    run: () => solve({}),
    repetitions: 1,
    figures: () => figures,
  };
}

function allocations(): Benchmark {
  const figures: Record<string, string> = {};
  const count = 1e6;
  const random = seededRandom(3);
  const columns = {
    changeRate: Array.from({ length: count }, () => Math.exp(1.5 * standardNormal(random))),
    weight: Array.from({ length: count }, () => 1 + random()),
    lastCrawlAge: Array.from({ length: count }, () => random()),
  };
  const solve = (objective: string): void => {
    const { problem } = crawlAllocationRequest.parse({ interval: 1, crawls: 5 * count, pages: columns, objective });
    figures[objective] = `${seconds(() => {
      const answer = allocateCrawls(problem, unlimitedBudget());
      if (answer.status !== 'optimal' || answer.attempts !== 1) throw new Error(`${objective}: ${answer.status}`);
    }).toFixed(2)} s`;
  };
  return {
    name: 'crawl-allocation, 1e6 Poisson pages of known age, 5e6 crawls, by objective',
    check() {
      for (const objective of objectiveNames) solve(objective);
    },
    run: () => solve('delay'),
    repetitions: 1,
    figures: () => figures,
  };
}

export const benchmarks: readonly Benchmark[] = [plans(), allocations()];
