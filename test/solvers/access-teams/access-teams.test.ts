/**
 * Several crawlers: against every way to deal few pages, against simulated crawlers, and at the bound where it is
 * attained.
 */
import { describe, expect, it } from 'vitest';
import { verifyTeamFrequencies, verifyTeamSequences } from '../../../src/certificates/access-teams.ts';
import { bestFrequencies } from '../../../src/solvers/access-frequencies/index.ts';
import { dealPages } from '../../../src/solvers/access-teams/deal-pages.ts';
import {
  solveTeamFrequencies,
  solveTeamSequences,
  type TeamFrequenciesProblem,
  type TeamSequencesProblem,
} from '../../../src/solvers/access-teams/index.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import type { Distribution } from '../../../src/solvers/laws/create-law.ts';
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { defined } from '../../defined.ts';

type TeamProblem = TeamFrequenciesProblem | TeamSequencesProblem;

const exactly = (value: number): Distribution => ({ type: 'deterministic', value });

function randomPages(random: Random, pages: number) {
  return {
    changeRate: Float64Array.from({ length: pages }, () => 10 ** (2 * random() - 1)),
    weight: Float64Array.from({ length: pages }, () => 10 ** random()),
    host: new Int32Array(pages).fill(-1),
    minFrequency: 0,
  };
}

/** A problem and its answer as the contract has them. */
const requestOf = ({ accessTime, changeRate, weight, host, crawlers, minFrequency, ...asked }: TeamProblem) => ({
  accessTime,
  pages: { changeRate, weight, host: Array.from(host, (h) => (h < 0 ? null : `h${h}`)) },
  crawlers,
  minFrequency,
  ...('policy' in asked && { policy: asked.policy }),
});

function frequenciesOf(problem: TeamFrequenciesProblem) {
  const answer = solveTeamFrequencies(problem, unlimitedBudget());
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  const { status, objective, frequency, staleness, crawler } = answer;
  const told = { status, objective, solution: { pages: { frequency, staleness, crawler } } };
  expect(verifyTeamFrequencies(requestOf(problem), told)).toEqual([]);
  return answer;
}

function sequencesOf(problem: TeamSequencesProblem) {
  const answer = solveTeamSequences(problem, unlimitedBudget());
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  expect(verifyTeamSequences(requestOf(problem), { ...answer })).toEqual([]);
  return answer;
}

const sequencing = { frequency: null, method: 'most-overdue', cycleLength: null } as const;

describe('frequencies of several crawlers', () => {
  it('have a bound that knows that a host has one crawler', () => {
    const random = seededRandom(77);
    for (let round = 0; round < 8; round++) {
      const problem = {
        ...randomPages(random, 6),
        // one host with most of the pages, and two with one each
        host: Int32Array.of(0, 0, 0, 0, 1, 2),
        accessTime: exactly(0.2),
        policy: 'deterministic',
        crawlers: 2,
      } as const;
      const { value, bound } = frequenciesOf(problem).objective;
      let best = Number.POSITIVE_INFINITY;
      for (const mine of [[0], [0, 1], [0, 2]]) {
        let cost = 0;
        for (const first of [true, false]) {
          const own = Array.from(problem.host.keys()).filter((i) => mine.includes(problem.host[i]) === first);
          const answer = bestFrequencies(
            {
              accessTime: problem.accessTime,
              policy: 'deterministic',
              minFrequency: 0,
              changeRate: Float64Array.from(own, (i) => problem.changeRate[i]),
              weight: Float64Array.from(own, (i) => problem.weight[i]),
            },
            unlimitedBudget(),
          );
          if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
          cost += answer.objective.value;
        }
        best = Math.min(best, cost);
      }
      expect(value).toBeGreaterThanOrEqual(best * (1 - 1e-12));
      expect(defined(bound)).toBeLessThanOrEqual(best * (1 + 1e-12));
      // the access times are constant: where the large host has a crawler to itself the bound is what that costs
      expect(best / defined(bound)).toBeLessThan(1.01);
    }
  });

  it('have a bound below every way to deal few pages, and are near the best of them', () => {
    const random = seededRandom(31);
    let excess = 0;
    for (let round = 0; round < 12; round++) {
      const pages = 5 + Math.floor(3 * random());
      const accessTime: Distribution = round % 2 === 0 ? exactly(0.2) : { type: 'exponential', rate: 5 };
      const problem = { ...randomPages(random, pages), accessTime, policy: 'deterministic', crawlers: 2 } as const;
      const { value, bound } = frequenciesOf(problem).objective;
      let best = Number.POSITIVE_INFINITY;
      for (let deal = 1; deal < 2 ** pages - 1; deal++) {
        let cost = 0;
        for (const mine of [0, 1]) {
          const own = Array.from({ length: pages }, (_, i) => i).filter((i) => ((deal >> i) & 1) === mine);
          const answer = bestFrequencies(
            {
              ...problem,
              changeRate: Float64Array.from(own, (i) => problem.changeRate[i]),
              weight: Float64Array.from(own, (i) => problem.weight[i]),
            },
            unlimitedBudget(),
          );
          if (answer.status !== 'infeasible') cost += answer.objective.value;
        }
        best = Math.min(best, cost);
      }
      expect(bound).toBeLessThanOrEqual(best * (1 + 1e-12));
      expect(value).toBeGreaterThanOrEqual(best * (1 - 1e-12));
      excess += value / best - 1;
    }
    // largest first alone: .2%
    expect(excess / 12).toBeLessThan(1e-4);
  });

  it('are dealt so that no move of a host and no exchange of two lowers the cost', () => {
    const random = seededRandom(33);
    let moved = 0;
    for (let round = 0; round < 8; round++) {
      const host = Int32Array.from({ length: 24 }, () => Math.floor(8 * random()));
      const given = { ...randomPages(random, 24), host, accessTime: exactly(0.1), crawlers: 3 };
      const problem = { ...given, policy: round % 2 === 0 ? 'deterministic' : 'randomized' } as const;
      const answer = frequenciesOf(problem);
      const costOf = (crawler: ArrayLike<number>): number =>
        [0, 1, 2].reduce((sum, m) => {
          const own = Array.from(host.keys()).filter((i) => crawler[i] === m);
          if (own.length === 0) return sum;
          const { changeRate, weight } = problem;
          const hand = { changeRate: own.map((i) => changeRate[i]), weight: own.map((i) => weight[i]) };
          const part = bestFrequencies(
            { ...problem, changeRate: Float64Array.from(hand.changeRate), weight: Float64Array.from(hand.weight) },
            unlimitedBudget(),
          );
          return part.status === 'infeasible' ? Number.NaN : sum + part.objective.value;
        }, 0);
      const { value, bound } = answer.objective;
      expect(costOf(answer.crawler)).toBeCloseTo(value, 10);
      // so little above the bound is left
      if (value <= defined(bound) * (1 + 1e-5)) continue;
      const other = (change: (h: number, m: number) => number): void => {
        const changed = answer.crawler.map((m, i) => change(host[i], m));
        expect(costOf(changed)).toBeGreaterThanOrEqual(value * (1 - 1e-10));
        moved++;
      };
      const ownerOf = (h: number): number => answer.crawler[host.indexOf(h)];
      for (const g of new Set(host)) {
        for (const m of [0, 1, 2]) if (m !== ownerOf(g)) other((h, own) => (h === g ? m : own));
        for (const h of new Set(host)) {
          if (h <= g || ownerOf(h) === ownerOf(g)) continue;
          const [a, b] = [ownerOf(g), ownerOf(h)];
          other((each, own) => (each === g ? b : each === h ? a : own));
        }
      }
    }
    expect(moved).toBeGreaterThan(100);
  });

  it('attain the bound where equal pages go round and accesses take the same time', () => {
    const even = (value: number) => new Float64Array(12).fill(value);
    const pages = { changeRate: even(0.7), weight: even(1), host: new Int32Array(12).fill(-1), minFrequency: 0 };
    const problem = { ...pages, accessTime: exactly(0.3), crawlers: 3 };
    const answer = frequenciesOf({ ...problem, policy: 'deterministic' });
    expect(answer.status).toBe('optimal');
    expect(Array.from(answer.frequency)).toEqual(new Array(12).fill(1 / 12));
    // four pages in turn, 1.2 between two accesses of one
    const stale = 1 - (1 - Math.exp(-0.7 * 1.2)) / (0.7 * 1.2);
    expect(answer.objective.value).toBeCloseTo(12 * stale, 12);
    const cycles = sequencesOf({ ...problem, ...sequencing, longestCycle: 1e6 });
    expect(cycles.status).toBe('optimal');
    expect(frequenciesOf({ ...problem, policy: 'randomized' }).objective.gap).toBeGreaterThan(0.1);
  });

  it('come close to the bound on many pages, whose hosts stay together', () => {
    const random = seededRandom(32);
    const pages = randomPages(random, 2000);
    for (const host of [pages.host, pages.host.map(() => Math.floor(300 * random()))]) {
      const problem = { ...pages, host, accessTime: exactly(0.02), policy: 'deterministic', crawlers: 8 } as const;
      const answer = frequenciesOf(problem);
      expect(answer.objective.gap).toBeLessThan(1e-3);
      expect(new Set(answer.crawler).size).toBe(8);
    }
  });

  it('are dealt under a poll that hears of every comparison and every page', () => {
    const random = seededRandom(5);
    const frequency = Float64Array.from({ length: 50_000 }, () => random());
    const alone = new Int32Array(frequency.length).fill(-1);
    let calls = 0;
    dealPages(frequency, alone, 7, () => calls++);
    expect(calls).toBeGreaterThan(frequency.length * 10);
    const ended = new Error('ended');
    expect(() =>
      dealPages(frequency, alone, 7, () => {
        throw ended;
      }),
    ).toThrow(ended);
  });

  it('keep a least frequency where a crawler can, and say where it has too many pages', () => {
    const random = seededRandom(33);
    const pages = { ...randomPages(random, 30), minFrequency: 1 / 60 };
    const problem = { ...pages, accessTime: exactly(0.1), policy: 'deterministic', crawlers: 3 } as const;
    const kept = frequenciesOf(problem);
    for (const f of kept.frequency) expect(f).toBeGreaterThanOrEqual((1 / 60) * (1 - 1e-9));
    // one host has nearly all pages
    const crowded = frequenciesOf({ ...problem, host: pages.host.map((_, i) => (i < 28 ? 0 : 1)) });
    expect(crowded.warnings.map(({ code }) => code)).toContain('below-min-frequency');
    expect(crowded.warnings.map(({ code }) => code)).toContain('idle-crawlers');
  });
});

/** Share of time each page is stale when every crawler repeats its cycle: the accesses one by one, changes drawn. */
function simulate(
  { changeRate }: TeamSequencesProblem,
  cycles: readonly Uint32Array[],
  draw: (random: Random) => number,
  random: Random,
): Float64Array {
  const horizon = 6000;
  const stale = new Float64Array(changeRate.length);
  const change = (i: number): number => -Math.log1p(-random()) / changeRate[i];
  for (const sequence of cycles) {
    let time = 0;
    let end = 0;
    const firstChange = Float64Array.from(changeRate, (_, i) => change(i));
    for (let t = 0; time < horizon; t++) {
      const i = sequence[t % sequence.length];
      time += draw(random);
      // stale from the first change after the last access until this access ends
      if (firstChange[i] < time) stale[i] += time - firstChange[i];
      firstChange[i] = time + change(i);
      end = time;
    }
    for (const i of new Set(sequence)) {
      if (firstChange[i] < end) stale[i] += end - firstChange[i];
      stale[i] /= end;
    }
  }
  return stale;
}

describe('cycles of several crawlers', () => {
  it.each(['deterministic', 'exponential'] as const)('cost what simulated crawlers see (%s access times)', (law) => {
    const random = seededRandom(34);
    const accessTime: Distribution = law === 'deterministic' ? exactly(0.25) : { type: 'exponential', rate: 4 };
    const pages = randomPages(random, 9);
    const host = pages.host.map((_, i) => (i < 4 ? 0 : -1));
    const problem = { ...pages, host, accessTime, crawlers: 3, ...sequencing, longestCycle: 1e6 };
    const answer = sequencesOf(problem);
    const cycles = answer.solution.crawlers.map(({ sequence }) => sequence).filter(({ length }) => length > 0);
    const draw = (r: Random): number => (law === 'deterministic' ? 0.25 : -Math.log1p(-r()) / 4);
    const seen = simulate(problem, cycles, draw, random);
    for (const [i, stale] of seen.entries())
      expect(Math.abs(stale - answer.solution.pages.staleness[i])).toBeLessThan(0.02);
    const cost = seen.reduce((sum, stale, i) => sum + pages.weight[i] * stale, 0);
    expect(cost / answer.objective.value).toBeCloseTo(1, 1);
    expect(new Set(answer.solution.pages.crawler.slice(0, 4)).size).toBe(1);
  });

  it('go by frequencies of the caller’s own, pages without one being stale', () => {
    const random = seededRandom(35);
    const pages = randomPages(random, 8);
    const frequency = Float64Array.of(0.3, 0.2, 0.2, 0.1, 0.1, 0.1, 0, 0);
    const problem = { ...pages, accessTime: exactly(0.1), crawlers: 2, ...sequencing, frequency, longestCycle: 1e6 };
    const answer = sequencesOf(problem);
    expect(Array.from(answer.solution.pages.staleness.slice(6))).toEqual([1, 1]);
    expect(answer.objective.gap).toBeGreaterThan(0);
  });
});
