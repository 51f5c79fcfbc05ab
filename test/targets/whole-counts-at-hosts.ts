/** Small requests with targets of several classes at limited hosts, and their least crawls by trying all counts. */
import type { crawlAllocation, RequestOf } from '../../src/index.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';

export type Asked = RequestOf<typeof crawlAllocation>;

const most = 9;

/** Share of an interval that a Poisson page just crawled at its start is stale with x crawls: all gaps are equal. */
const stale = (rate: number, x: number): number => 1 - ((x + 1) / rate) * -Math.expm1(-rate / (x + 1));

export interface Drawn {
  readonly request: Asked;
  /** The least crawls; Infinity where no counts keep all. */
  readonly least: number;
}

export function drawn(seed: number): Drawn {
  const random = seededRandom(seed);
  const count = 3 + Math.floor(3 * random());
  const hostsOfAll = 1 + Math.floor(2 * random());
  const isNested = hostsOfAll === 2 && random() < 0.4;
  const pages = Array.from({ length: count }, (_, i) => {
    const h = Math.floor(random() * (hostsOfAll + 0.7));
    return {
      changeRate: Math.exp(2.5 * random() - 0.5),
      weight: 0.3 + random(),
      lastCrawlAge: 0,
      class: i === 0 ? 'a' : i === 1 ? 'b' : ['a', 'b', 'c'][Math.floor(3 * random())],
      ...(h < hostsOfAll && { host: `${h}` }),
    };
  });
  const hosts = Array.from({ length: hostsOfAll }, (_, h) => ({
    host: `${h}`,
    maxCrawls: 1 + Math.floor(6 * random()),
    ...(isNested && h === 1 && { within: '0' }),
  }));
  const targets = ['a', 'b'].map((name) => ({ class: name, staleness: 0.2 + 0.5 * random() }));
  const target = random() < 0.4 ? { staleness: 0.2 + 0.5 * random() } : undefined;
  const request: Asked = { interval: 1, pages, hosts, targets, ...(target && { target }) };
  return { request, least: leastOf({ pages, hosts, targets, target }) };
}

interface Small {
  readonly pages: readonly { changeRate: number; weight: number; class: string; host?: string }[];
  readonly hosts: readonly { host: string; maxCrawls: number; within?: string }[];
  readonly targets: readonly { class: string; staleness: number }[];
  readonly target: { readonly staleness: number } | undefined;
}

function leastOf({ pages, hosts, targets, target }: Small): number {
  const kept = [
    ...targets.map((each) => ({ of: pages.map((page) => page.class === each.class), share: each.staleness })),
    ...(target === undefined ? [] : [{ of: pages.map(() => true), share: target.staleness }]),
  ].map(({ of, share }) => ({
    of,
    limit: share * pages.reduce((sum, { weight }, i) => sum + (of[i] ? weight : 0), 0) * (1 + 1e-12),
  }));
  const rooms = hosts.map(({ host, maxCrawls }) => ({
    of: pages.map(
      (page) => page.host === host || hosts.some((each) => each.host === page.host && each.within === host),
    ),
    limit: maxCrawls,
  }));
  const table = pages.map(({ changeRate, weight }) =>
    Array.from({ length: most + 1 }, (_, x) => weight * stale(changeRate, x)),
  );
  let best = Number.POSITIVE_INFINITY;
  const left = kept.map(() => 0);
  const taken = rooms.map(() => 0);
  const least = (i: number, k: number): number =>
    pages.slice(i).reduce((sum, _, j) => sum + (kept[k].of[i + j] ? table[i + j][most] : 0), 0);
  const rest = pages.map((_, i) => kept.map((_, k) => least(i, k)));
  const go = (i: number, total: number): void => {
    if (total >= best) return;
    if (kept.some(({ limit }, k) => left[k] + (rest[i]?.[k] ?? 0) > limit)) return;
    if (i === pages.length) {
      best = total;
      return;
    }
    for (let x = 0; x <= most; x++) {
      if (rooms.some(({ of, limit }, h) => of[i] && taken[h] + x > limit)) break;
      for (const [k, { of }] of kept.entries()) if (of[i]) left[k] += table[i][x];
      for (const [h, { of }] of rooms.entries()) if (of[i]) taken[h] += x;
      go(i + 1, total + x);
      for (const [k, { of }] of kept.entries()) if (of[i]) left[k] -= table[i][x];
      for (const [h, { of }] of rooms.entries()) if (of[i]) taken[h] -= x;
    }
  };
  go(0, 0);
  return best;
}
