/** Hosts that lie within others: an address, a CDN. All their limits hold, and their prices add. */
import { describe, expect, it } from 'vitest';
import { column, text } from '../../../src/console/api/read.ts';
import { crawlPlan, type RequestOf, verify } from '../../../src/index.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type CrawlPlanProblem, planCrawls, solvePlanTarget } from '../../../src/solvers/crawl-plan/index.ts';
import { openSlots } from '../../../src/solvers/crawl-plan/limits/allowed.ts';
import { scheduleByIndex } from '../../../src/solvers/crawl-plan/place/by-index/index-schedule.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { certifyCrawlPlan } from './certify-plan.ts';
import { costOf, modelsOf, now, randomProblem } from './small-plans.ts';

const day = 86_400;

/** Two hosts at an address, which a CDN serves beside a third, and pages of the address and the CDN themselves. */
const names = ['a.example', 'b.example', 'c.example', 'address', 'cdn'];
const within = [3, 3, 4, 4, -1];
const groups = within.map((_, h) => Int32Array.from(around(h)));

function around(h: number): number[] {
  return h < 0 ? [] : [h, ...around(within[h])];
}

function solved(problem: CrawlPlanProblem) {
  const answer = planCrawls(problem, unlimitedBudget());
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  expect(certifyCrawlPlan(problem, answer)).toEqual([]);
  return answer;
}

describe('hosts within others', () => {
  it('pay the prices of all limits that bind, and of none that does not', () => {
    // V of objectives delay and harmonic: what a fetch is worth after a time, before weighting
    const worth = {
      delay: (rate: number, gap: number) => (rate * gap ** 2) / 2,
      harmonic: (rate: number, gap: number) => (rate * gap ** 2) / (1 + rate * gap),
    };
    let bound = 0;
    for (let seed = 1; seed <= 24; seed++) {
      const random = seededRandom(seed);
      const objective = seed % 2 === 0 ? 'delay' : 'harmonic';
      const free = { ...randomProblem(random, 30, 120, true), objective } as const;
      const host = Int32Array.from({ length: 30 }, (_, i) => (i % 6) - 1);
      const wanted = new Float64Array(names.length);
      for (const [i, gap] of solved(free).plan.fetchInterval.entries())
        for (const h of around(host[i])) wanted[h] += 1 / gap;
      const hostRate = wanted.map((each) => each * (0.2 + 1.2 * random()));
      const problem = { ...free, host, hostName: names, hostDelay: new Float64Array(5), hostRate, hostGroups: groups };
      const { plan, longRun } = solved(problem);
      expect(longRun?.gap ?? Number.NaN).toBeLessThan(1e-6);
      const taken = new Float64Array(names.length);
      const level = new Float64Array(names.length).fill(Number.POSITIVE_INFINITY);
      let common = Number.POSITIVE_INFINITY;
      const price = Array.from(
        plan.fetchInterval,
        (gap, i) => free.weight[i] * worth[objective](free.changeRate[i], gap),
      );
      for (const [i, each] of price.entries()) {
        if (host[i] < 0) common = Math.min(common, each);
        for (const h of around(host[i])) {
          taken[h] += 1 / plan.fetchInterval[i];
          level[h] = Math.min(level[h], each);
        }
      }
      for (const [i, each] of price.entries()) expect(each / (host[i] < 0 ? common : level[host[i]])).toBeCloseTo(1, 5);
      for (const [h, most] of hostRate.entries()) {
        expect(taken[h]).toBeLessThanOrEqual(most * (1 + 1e-6));
        const outside = within[h] < 0 ? common : level[within[h]];
        expect(level[h]).toBeGreaterThanOrEqual(outside * (1 - 1e-5));
        if (taken[h] < most * (1 - 1e-4)) expect(level[h] / outside).toBeCloseTo(1, 4);
        else bound++;
      }
    }
    expect(bound).toBeGreaterThan(24);
  });

  it('need as few fetches for a target as leave it, with the bound of their prices', () => {
    let bound = 0;
    for (let seed = 1; seed <= 24; seed++) {
      const random = seededRandom(seed);
      const objective = seed % 2 === 0 ? 'delay' : 'harmonic';
      const free = { ...randomProblem(random, 30, 120, true), objective, evenShare: 0 } as const;
      const host = Int32Array.from({ length: 30 }, (_, i) => (i % 6) - 1);
      const hostRate = Float64Array.from(names, () => (40 * random()) / free.interval);
      const problem = { ...free, host, hostName: names, hostDelay: new Float64Array(5), hostRate, hostGroups: groups };
      const { longRun } = solved(problem);
      const scale = problem.weight.reduce((sum, each, i) => {
        return sum + each * (objective === 'delay' ? problem.changeRate[i] : 1);
      }, 0);
      const value = (longRun?.value ?? Number.NaN) / scale;
      const asked = { measure: 'staleness', value, scale, whole: value * scale, own: null, owns: [] } as const;
      const found = solvePlanTarget({ problem, asked, curve: false }, unlimitedBudget());
      if (found.status !== 'planned') throw new Error('it is kept by the crawls that leave it');
      const { met } = found.needed;
      const crawls = problem.slotsByCrawler.reduce((sum, each) => sum + each, 0) / problem.interval;
      expect(met.total / crawls).toBeLessThanOrEqual(1 + 1e-7);
      expect((met.bound ?? 0) / met.total).toBeCloseTo(1, 8);
      const taken = new Float64Array(names.length);
      for (const [i, each] of met.crawls.entries()) for (const h of around(host[i])) taken[h] += each;
      for (const [h, most] of hostRate.entries()) {
        expect(taken[h]).toBeLessThanOrEqual(most * (1 + 1e-9));
        if (met.hostPrice[h] === 0) continue;
        expect(taken[h] / most).toBeCloseTo(1, 8);
        bound++;
      }
    }
    expect(bound).toBeGreaterThan(24);
  });

  // the address and the CDN nested, or overlapping
  it.each([
    ['for ever', 'ever', 1.1, groups],
    ['for one interval', 'interval', 1.1, groups],
    [
      'for one interval, of hosts that overlap',
      'interval',
      1.15,
      [[0, 3, 4], [1, 4], [2, 3], [3], [4]].map((list) => Int32Array.from(list)),
    ],
  ] as const)(
    'cost no less %s than their bounds, by all schedules that keep the delays',
    (_, planFor, most, hostGroups) => {
      let excess = 0;
      for (let seed = 1; seed <= 25; seed++) {
        const random = seededRandom(seed);
        const slots = 5;
        const free = randomProblem(random, 3, slots, true);
        const hostDelay = Float64Array.of(random(), random(), 0, 1.5 * random(), random()).map(
          (each) => (each * 2 * free.interval) / slots,
        );
        const lastCrawl = free.lastCrawl.map(() => now - free.interval * (2 + random()));
        const host = Int32Array.of(0, 1, 2);
        const problem = { ...free, lastCrawl, host, hostName: names, hostDelay, hostGroups, planFor };
        const { objective } = solved(problem);
        let least = Number.POSITIVE_INFINITY;
        for (let code = 0; code < 4 ** slots; code++) {
          const page = Array.from({ length: slots }, (_, s) => (Math.floor(code / 4 ** s) % 4) - 1);
          const last = new Float64Array(names.length).fill(Number.NEGATIVE_INFINITY);
          const kept = page.every((i, s) =>
            [...(i < 0 ? [] : hostGroups[host[i]])].every((h) => {
              const time = (s * free.interval) / slots;
              const apart = time - last[h] >= hostDelay[h] * (1 - 1e-9);
              last[h] = time;
              return apart;
            }),
          );
          if (kept) least = Math.min(least, costOf(problem, modelsOf(problem)(), page));
        }
        expect(objective.bound ?? 0).toBeLessThanOrEqual(least * (1 + 1e-9));
        expect(objective.value).toBeGreaterThanOrEqual(least * (1 - 1e-9));
        expect(objective.value).toBeLessThanOrEqual(most * least);
        excess += objective.value / least - 1;
      }
      expect(excess / 25).toBeLessThan(0.02);
    },
  );

  it('leave few slots that a page could have, where pages are held back in queues', () => {
    let [idle, all] = [0, 0];
    for (let seed = 1; seed <= 12; seed++) {
      const random = seededRandom(seed);
      const slots = 2000;
      const pages = 200;
      const problem = {
        ...randomProblem(random, pages, slots, true),
        lastCrawl: new Float64Array(pages).fill(Number.NaN),
      };
      const { interval, minInterval, maxInterval } = problem;
      const host = Int32Array.from({ length: pages }, (_, i) => i % 4);
      const hostDelay = Float64Array.from(names, () => (4 * random() ** 2 * interval) / slots);
      const model = modelsOf(problem)();
      const { page } = scheduleByIndex(
        {
          model,
          slots: openSlots(problem),
          interval,
          age: new Float64Array(pages).fill(Number.POSITIVE_INFINITY),
          minInterval,
          maxInterval,
          cap: maxInterval,
          host,
          hostDelay,
          hostGroups: groups,
          price: model.worth(0, (interval * pages) / slots),
          shortInterval: (interval * pages) / slots,
        },
        unlimitedBudget(),
      );
      const ready = new Float64Array(names.length);
      for (const [s, i] of page.entries()) {
        const time = (s * interval) / slots;
        const closed = (h: number): boolean => around(h).some((g) => ready[g] > time * (1 + 1e-9));
        all++;
        if (i < 0) idle += Number(![0, 1, 2, 3].every(closed));
        else expect(closed(host[i])).toBe(false);
        for (const g of i < 0 ? [] : around(host[i])) ready[g] = time + hostDelay[g];
      }
    }
    // .8% as with hosts apart, since a page has at most one slot of an epoch; 2.8% where a queue lets no other page out
    expect(idle / all).toBeLessThan(0.012);
  });
});

const request = {
  now,
  interval: day,
  crawls: 96,
  pages: Array.from({ length: 9 }, (_, i) => ({
    changeRate: 1e-5 * (i + 1),
    lastCrawl: now - day,
    host: ['a', 'b', 'elsewhere'][i % 3],
  })),
  hosts: [
    { host: 'a', within: 'cdn' },
    { host: 'b', within: 'cdn', windows: [{ from: '00:00', to: '12:00' }] },
    { host: 'cdn', minDelay: 3600, notBefore: now + 7200, windows: [{ from: '06:00', to: '18:00' }] },
  ],
} satisfies RequestOf<typeof crawlPlan>;

describe('crawl-plan with hosts within others', () => {
  it('keeps delays, windows and waits of the outer one', () => {
    const answer = crawlPlan(request);
    expect(verify('crawl-plan', request, answer)).toEqual([]);
    const [times, pages] = ['time', 'page'].map((name) => column(answer.solution?.schedule, name));
    const fetches = Array.from(times, (time, k) => ({ time, host: request.pages[pages[k]].host }));
    const inside = fetches.filter(({ host }) => host !== 'elsewhere');
    expect(inside.length).toBeGreaterThan(5);
    for (const [k, { time, host }] of inside.entries()) {
      const hour = Math.floor((time % day) / 3600);
      expect(time).toBeGreaterThanOrEqual(now + 7200);
      expect(hour).toBeGreaterThanOrEqual(6);
      expect(hour).toBeLessThan(host === 'b' ? 12 : 18);
      if (k > 0) expect(time - inside[k - 1].time).toBeGreaterThanOrEqual(3600 - 1e-6);
    }
    expect(answer.warnings.map(({ code }) => code)).not.toContain('host-without-pages');
  });

  it('says how few fetches keep a target, what more of them buy, and how far the outer one must give way', () => {
    const { crawls: _, ...asked } = {
      ...request,
      hosts: [
        { host: 'a', within: 'cdn' },
        { host: 'b', within: 'cdn' },
        { host: 'cdn', maxRate: 4e-4 },
      ],
    };
    const kept = { ...asked, target: { staleness: 0.3 }, curve: true };
    const answer = crawlPlan(kept);
    expect(verify('crawl-plan', kept, answer)).toEqual([]);
    expect(answer.status).not.toBe('infeasible');
    const missed = { ...asked, target: { staleness: 0.01 } };
    const none = crawlPlan(missed);
    expect(none.status).toBe('infeasible');
    expect(verify('crawl-plan', missed, none)).toEqual([]);
    expect(JSON.stringify(none.conflict)).toContain('cdn');
  });

  it('keeps what each of several hosts around one asks for', () => {
    const asked = {
      ...request,
      hosts: [
        { host: 'a', within: ['cdn', 'address'] },
        { host: 'b', within: 'cdn' },
        { host: 'elsewhere', within: ['address'] },
        { host: 'cdn', minDelay: 3600, notBefore: now + 7200 },
        { host: 'address', minDelay: 2400, windows: [{ from: '06:00', to: '18:00' }] },
      ],
    };
    const answer = crawlPlan(asked);
    expect(verify('crawl-plan', asked, answer)).toEqual([]);
    const [times, pages] = ['time', 'page'].map((name) => column(answer.solution?.schedule, name));
    const fetches = Array.from(times, (time, k) => ({ time, host: request.pages[pages[k]].host }));
    for (const [group, out, delay] of [
      ['cdn', 'elsewhere', 3600],
      ['address', 'b', 2400],
    ] as const) {
      const inside = fetches.filter(({ host }) => host !== out);
      expect(inside.length).toBeGreaterThan(5);
      for (const [k, { time }] of inside.entries()) {
        if (k > 0) expect(time - inside[k - 1].time).toBeGreaterThanOrEqual(delay - 1e-6);
        if (group === 'cdn') expect(time).toBeGreaterThanOrEqual(now + 7200);
        else expect(Math.abs(Math.floor((time % day) / 3600) - 11.5)).toBeLessThanOrEqual(5.5);
      }
    }
    // a certificate that knew of one of them only would let this pass
    const tighter = { ...asked, hosts: [...asked.hosts.slice(0, 4), { host: 'address', minDelay: 7000 }] };
    expect(verify('crawl-plan', tighter, answer).length).toBeGreaterThan(0);
  });

  it('keeps a target for each of some classes beside them', () => {
    const { crawls: _, ...rest } = request;
    const asked = {
      ...rest,
      pages: request.pages.map((page, i) => ({ ...page, class: i < 3 || i % 3 < 2 ? 'slow' : 'fast' })),
      hosts: [
        { host: 'a', within: 'cdn' },
        { host: 'b', within: 'cdn' },
        { host: 'cdn', maxRate: 3.5e-4 },
      ],
      targets: [
        { class: 'slow', staleness: 0.25 },
        { class: 'fast', staleness: 0.4 },
      ],
    } satisfies RequestOf<typeof crawlPlan>;
    const answer = crawlPlan(asked);
    expect(answer.status).not.toBe('infeasible');
    expect(verify('crawl-plan', asked, answer)).toEqual([]);
    const loose = crawlPlan({ ...asked, hosts: [] });
    const crawls = ({ solution }: typeof answer) => solution?.crawls ?? Number.NaN;
    expect(crawls(answer)).toBeGreaterThan(1.05 * crawls(loose));
    const overlapping = [...asked.hosts.slice(1), { host: 'a', within: ['cdn', 'address'] }, { host: 'address' }];
    expect(() => crawlPlan({ ...asked, hosts: overlapping })).toThrow('do not go with targets');
  });

  it('names the outer host in a conflict, and what would mend it', () => {
    const tight = {
      ...request,
      maxInterval: 4 * 3600,
      hosts: [
        { host: 'a', within: 'cdn' },
        { host: 'b', within: 'cdn' },
        { host: 'cdn', minDelay: 3600 },
      ],
    };
    const answer = crawlPlan(tight);
    expect(answer.status).toBe('infeasible');
    expect(text(answer.conflict, 'host')).toBe('cdn');
    expect(verify('crawl-plan', tight, answer)).toEqual([]);
    expect(text(answer.conflict, 'repair')).toContain('minDelay of host cdn');
  });

  it.each([
    ['a host that is not listed', { hosts: [{ host: 'a', within: 'nowhere' }] }, 'names no host of hosts'],
    [
      'a circle',
      {
        hosts: [
          { host: 'a', within: 'b' },
          { host: 'b', within: 'a' },
        ],
      },
      'lies within itself',
    ],
  ])('refuses %s', (_, more, said) => {
    expect(() => crawlPlan({ ...request, ...more })).toThrow(said);
  });
});
