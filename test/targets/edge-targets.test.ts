/** Targets at the ends of what can be asked, and what is refused, the same in every operation with both directions. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accessFrequencies, crawlAllocation, crawlPlan, crawlPrice, ProblemError } from '../../src/index.ts';
import { faultsOf } from '../certificates/faults-of.ts';
import { run, wordsOf } from '../tables/run.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const day = 86_400;
const now = 1_760_000_000;
const pages = [1, 3, 0.2, 12, 6].map((changeRate, i) => ({
  changeRate,
  weight: 1 + (i % 3),
  host: i < 2 ? 'a' : 'b',
}));
const buckets = pages.map(({ changeRate, weight, ...groups }) => {
  const ratio = weight / changeRate;
  return {
    ...groups,
    pages: 1,
    changeRate,
    weight,
    changeRateLogRatio: changeRate * Math.log(ratio),
    ratioMin: ratio,
    ratioMax: ratio,
  };
});
const logged = pages.map(({ changeRate, ...page }, i) => ({
  ...page,
  id: `p${i}`,
  changeRate: changeRate / day,
  lastCrawl: now - 3600 * (i + 1),
}));
const accessTime = { type: 'deterministic', value: 1e-3 } as const;

/** Each operation's question without what is asked for, and the number that a target stands for. */
const operations = [
  {
    name: 'access-frequencies',
    solve: accessFrequencies,
    question: { pages: pages.map(({ host: _, ...page }) => page), accessTime, policy: 'deterministic' },
    numbers: [],
  },
  { name: 'crawl-allocation', solve: crawlAllocation, question: { pages, interval: 1 }, numbers: [{ crawls: 3 }] },
  {
    name: 'crawl-plan',
    solve: crawlPlan,
    question: { now, interval: day, pages: logged },
    numbers: [{ crawls: 3 }, { crawlers: [{ slots: 3 }] }],
  },
  { name: 'crawl-price', solve: crawlPrice, question: { buckets }, numbers: [{ rate: 3 }, { crawls: 3, interval: 1 }] },
] as const;

interface Answered {
  readonly status: string;
  readonly objective?: { readonly value: number; readonly bound: number | null };
  readonly conflict?: unknown;
}

describe.each(operations)('$name with a target', ({ name, solve, question, numbers }) => {
  const ask = (more: object): Answered => {
    const request = { ...question, ...more };
    const answer: Answered = Reflect.apply(solve, undefined, [request]);
    expect(faultsOf(name, request, answer)).toEqual([]);
    return answer;
  };
  const refusal = (more: object): string[] => {
    try {
      Reflect.apply(solve, undefined, [{ ...question, ...more }]);
      return [];
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return error.errors.map(({ pointer, code }) => `${pointer} ${code}`);
    }
  };

  it.each([{ freshness: 0 }, { staleness: 1 }])('%o, which takes nothing', (target) => {
    expect(ask({ target })).toMatchObject({
      status: 'optimal',
      objective: { value: 0, bound: 0 },
      summary: expect.stringMatching(/^No (crawl|fetch|access) is needed: /),
    });
  });

  it.each([{ freshness: 1 }, { staleness: 0 }])('%o, which nothing reaches', (target) => {
    const { status, conflict } = ask({ target });
    expect(status).toBe('infeasible');
    expect(Object(conflict).detail).toContain('cannot be reached');
  });

  it('of two measures, or of none', () => {
    expect(refusal({ target: { freshness: 0.5, staleness: 0.5 } })).toEqual(['/target one-of']);
    expect(refusal({ target: {} })).toEqual(['/target one-of']);
    expect(refusal({ target: [{ freshness: 0.5 }, { freshness: 0.6 }] })).toEqual(['/target invalid_type']);
  });

  it('of the measure of another objective', () => {
    expect(refusal({ target: { meanDelay: 3 } })[0]).toMatch(/^\/target\/meanDelay (not-applicable|unrecognized_key)$/);
    if (name !== 'access-frequencies')
      expect(refusal({ objective: 'delay', target: { freshness: 0.9 } })).toContain('/target/freshness not-applicable');
  });

  it('beyond what a share can be', () => {
    expect(refusal({ target: { freshness: 1.1 } })).toEqual(['/target/freshness too_big']);
    expect(refusal({ target: { staleness: -0.1 } })).toEqual(['/target/staleness too_small']);
  });

  it('together with the number that it replaces', () => {
    for (const more of numbers) {
      const [first] = Object.keys(more);
      const refusals = refusal({ ...more, target: { freshness: 0.5 } });
      expect([`/${first} one-of`, '/crawls one-of']).toContain(refusals[0]);
    }
  });
});

it('of a delay is refused where a bucket does not tell what it is a mean by', () => {
  const request = { buckets: [{ ...buckets[0], pages: 2 }], objective: 'delay', target: { meanDelay: 1 } } as const;
  expect(() => crawlPrice(request)).toThrow('/buckets/0/weightTimesRate');
});

describe('crawl-optimizer tables with a target', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'pages.csv');
  const hosts = join(folder, 'hosts.csv');
  writeFileSync(file, `url,rate,host\n${pages.map(({ changeRate }, i) => `p${i},${changeRate},a`).join('\n')}\n`);
  writeFileSync(hosts, 'host,maxRate\na,5\n');
  const words = ['price', file, ...wordsOf('--id url --rate rate --rate-unit day --per day')];

  it.each([
    [['--freshness', '0'], '--freshness must lie between 0 and 1'],
    [['--freshness', '1'], '--freshness must lie between 0 and 1'],
    [['--freshness', '0.5', '--mean-delay', '2hours'], 'give one of --crawls, --freshness and --mean-delay'],
    [[], 'give --crawls, --freshness or --mean-delay'],
    [['--freshness', '0.5', '--crawls', '3'], 'give one of --crawls, --freshness and --mean-delay'],
    [['--freshness', '0.99', '--host', 'host', '--hosts', hosts], 'a freshness of 0.99 cannot be reached'],
  ])('%j is refused', async (more, why) => {
    const { code, err } = await run(...words, ...more);
    expect(code).toBe(2);
    expect(err).toContain(why);
  });

  it('takes a time as `plan` does: 2h is 2hours', async () => {
    const outputFor = async (time: string): Promise<string> => (await run(...words, '--mean-delay', time)).out;
    expect(JSON.parse(await outputFor('2h')).crawls).toBeCloseTo(JSON.parse(await outputFor('2hours')).crawls, 6);
  });
});
