/** Requests for crawl-plan: crawl logs without options, as the first edition took them, and plans with every option. */
import { type Random, seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { standardExponential, standardNormal } from '../../src/solvers/numerics/random/random-variates.ts';
import type { Requests } from './requests.ts';

const day = 86_400;
const now = 1_760_000_000;

/** Pages of lognormal rates, checked at uneven gaps, with every kind of limit now and then. */
export function planRequests(count: number, seed: number): Requests {
  const random = seededRandom(seed);
  return { operation: 'crawl-plan', source: 'crawl logs', bodies: Array.from({ length: count }, () => plan(random)) };
}

/** Plans by all that crawls can be limited by, under all objectives; one in sixteen has thousands of pages. */
export function optionedPlans(count: number, seed: number): Requests {
  const random = seededRandom(seed);
  const bodies = Array.from({ length: count }, (_, k) => JSON.stringify(optionedPlan(random, k)));
  return { operation: 'crawl-plan', source: 'plans with options', bodies };
}

function plan(random: Random): string {
  const sometimes = <T>(chance: number, value: T): T | undefined => (random() < chance ? value : undefined);
  const pages = Array.from({ length: 2 + Math.floor(200 * random() ** 3) }, (_, i) => ({
    id: `page-${i}`,
    host: `host-${Math.floor(random() * 8)}`,
    weight: sometimes(0.3, standardExponential(random)),
    minInterval: sometimes(0.05, day * random()),
    maxInterval: sometimes(0.05, day * (20 + 40 * random())),
    ...evidence(random),
  }));
  return JSON.stringify({
    now,
    interval: day * (0.5 + 20 * random() ** 2),
    crawls: 1 + Math.floor(pages.length * 4 ** (2 * random() - 1)),
    evenShare: sometimes(0.2, 0.2 * random()),
    minInterval: sometimes(0.1, 600),
    maxInterval: sometimes(0.1, day * 365),
    hosts: sometimes(0.3, [
      { host: 'host-0', minDelay: 60 * random() },
      { host: 'host-1', minDelay: 3600 * random() },
    ]),
    pages,
  });
}

function evidence(random: Random): object {
  const rate = Math.exp(1.5 * standardNormal(random)) / (5 * day);
  const kind = random();
  if (kind < 0.1) return { changeRate: rate };
  const checks: [number, number][] = [];
  for (let k = Math.floor(40 * random()); k > 0; k--) {
    const gap = Math.round(day * 2 * random() + 60);
    checks.push([gap, random() < -Math.expm1(-rate * gap) ? 1 : 0]);
  }
  if (checks.length === 0) return kind < 0.3 ? { checks } : { checks, lastCrawl: now - Math.round(day * random()) };
  let lastCrawl = now - Math.round(3 * day * random());
  if (kind < 0.8) return { checks, lastCrawl };
  const observations: object[] = [];
  for (const [gap, changed] of checks.toReversed()) {
    observations.unshift({ time: lastCrawl, changed: changed === 1 });
    lastCrawl -= gap;
  }
  return { observations };
}

const objectives = ['freshness', 'delay', 'harmonic'];
const means = ['crawls', 'target', 'crawlers'] as const;

/** By what the fetches are limited, in turn; which limits besides is a matter of chance. */
function optionedPlan(random: Random, k: number): object {
  const sometimes = <T>(chance: number, value: () => T): T | undefined => (random() < chance ? value() : undefined);
  const by = means[k % means.length];
  const isLarge = k % 16 === 15;
  const objective = objectives[Math.floor(k / means.length) % objectives.length];
  const isSignalled = random() < 0.2;
  const allKnown = random() < 0.4;
  const count = isLarge ? 2000 + Math.floor(3000 * random()) : 2 + Math.floor(80 * random());
  const interval = day * (0.5 + 3 * random());
  const pages = Array.from({ length: count }, (_, i) => {
    const lastCrawl = now - Math.round(3 * day * random());
    return {
      id: `page-${i}`,
      host: `host-${Math.floor(random() * 6)}`,
      weight: sometimes(0.5, () => standardExponential(random)),
      minInterval: sometimes(0.1, () => 0.2 * day * random()),
      maxInterval: sometimes(0.1, () => day * (4 + 40 * random())),
      notBefore: sometimes(0.05, () => now + 0.3 * interval * random()),
      ...(allKnown
        ? { changeRate: Math.exp(standardNormal(random)) / day, lastCrawl: sometimes(0.8, () => lastCrawl) }
        : evidence(random)),
      ...(isSignalled && { signals: [now - Math.round(2 * day * random())] }),
      ...(random() < 0.05 && { feed: { items: 20 } }),
    };
  });
  const fetches = 1 + Math.floor(count * 4 ** (1.5 * random() - 0.5));
  return {
    now,
    interval,
    objective,
    ...(by === 'target' && { target: targetOf(objective, random), curve: random() < 0.5 }),
    ...(by === 'crawlers' && { crawlers: [{ slots: fetches }, { slots: Math.ceil(fetches / 3) }] }),
    ...(by === 'crawls' && { crawls: fetches }),
    evenShare: sometimes(0.3, () => 0.2 * random()),
    windows: sometimes(0.15, () => [{ from: '20:00', to: '09:00' }]),
    hosts:
      isSignalled || random() < 0.6
        ? Array.from({ length: 6 }, (_, h) => ({
            host: `host-${h}`,
            minDelay: sometimes(0.4, () => (interval / fetches) * 6 * random()),
            maxRate: sometimes(0.2, () => (fetches / interval) * random()),
            ...(isSignalled && { precision: 0.5 + 0.5 * random(), recall: random() }),
          }))
        : undefined,
    pages,
  };
}

/** A target under an objective: a measure of it, and a value of its size. */
function targetOf(objective: string, random: Random): object {
  const part = 0.3 + 0.5 * random();
  const targets: Readonly<Record<string, object>> = {
    delay: { meanDelay: part * day },
    harmonic: { harmonic: part },
  };
  return targets[objective] ?? { freshness: part };
}
