/**
 * Whether pages of a host change together, by a crawl log.
 *
 * Model: check i of a page finds a change (x = 1) or none; r = x − p, with p the page's own share of changes. Checks
 * are put into stretches of time. Take the mean of r_i·r_j over pairs of pages of one host in a stretch, less that over
 * pairs of two hosts. Divided by the mean of r², this is ρ. What all hosts share, such as a quiet weekend, cancels.
 *
 * Method: sums by host and stretch. The error of ρ is told by how it differs from host to host. Complexity: linear in
 * the fetches. Known limits: pages fetched at different rates see one change in different stretches, which hides it.
 */
import { foundCurrent } from './found-current.ts';
import type { CrawlLog } from './read-log.ts';

interface CommonChanges {
  /** The correlation of two pages of a host beyond that of pages of two hosts; 0 where the log has no pairs. */
  readonly correlation: number;
  /** How many standard errors it is away from 0. */
  readonly deviations: number;
  /** Hosts with two pages or more that were checked. */
  readonly hosts: number;
}

/** Sums of the checks of a host in a stretch: Σr and Σr² over its pages. */
interface Cell {
  sum: number;
  squares: number;
  pages: number;
}

/** @param stretch seconds of which the checks are held together, such as the usual time between two fetches */
export function commonChanges({ pages }: CrawlLog, stretch: number): CommonChanges {
  const byHost = new Map<string, Map<number, Cell>>();
  const overall = new Map<number, Cell>();
  let [squares, checks] = [0, 0];
  for (const { host, observations } of pages) {
    if (host === undefined) continue;
    const found = [...foundCurrent(observations)];
    const share = found.filter(([, isCurrent]) => !isCurrent).length / found.length;
    // A page's checks within a stretch are one: only pairs of pages tell.
    const mine = new Map<number, number>();
    for (const [time, isCurrent] of found) {
      const at = Math.floor(time / stretch);
      const rest = (isCurrent ? 0 : 1) - share;
      mine.set(at, (mine.get(at) ?? 0) + rest);
      squares += rest * rest;
      checks++;
    }
    const cells = byHost.get(host) ?? new Map<number, Cell>();
    byHost.set(host, cells);
    for (const [at, rest] of mine) {
      for (const sums of [cells, overall]) {
        const cell = sums.get(at) ?? { sum: 0, squares: 0, pages: 0 };
        sums.set(at, { sum: cell.sum + rest, squares: cell.squares + rest * rest, pages: cell.pages + 1 });
      }
    }
  }
  const variance = squares / Math.max(1, checks);
  const within = Array.from(byHost.values(), pairsOf).filter(({ pairs }) => pairs > 0);
  const all = pairsOf(overall);
  const ofHosts = within.reduce(
    (total, { product, pairs }) => ({ product: total.product + product, pairs: total.pairs + pairs }),
    { product: 0, pairs: 0 },
  );
  const hosts = within.length;
  if (hosts === 0 || variance === 0) return { correlation: 0, deviations: 0, hosts };
  const between = (all.product - ofHosts.product) / Math.max(1, all.pairs - ofHosts.pairs);
  const covariance = ofHosts.product / ofHosts.pairs - between;
  // Each host's part of the numerator, around its mean.
  const spread = within.reduce(
    (sum, { product, pairs }) => sum + (product - (covariance + between) * pairs) ** 2,
    (variance * ofHosts.pairs) ** 2 / Math.max(1, checks),
  );
  const error = Math.sqrt(spread) / ofHosts.pairs;
  return { correlation: covariance / variance, deviations: covariance / error, hosts };
}

/** Σ r_i·r_j over the pairs of pages in each stretch, and how many pairs there are. */
function pairsOf(cells: ReadonlyMap<number, Cell>): { product: number; pairs: number } {
  let [product, pairs] = [0, 0];
  for (const cell of cells.values()) {
    product += (cell.sum * cell.sum - cell.squares) / 2;
    pairs += (cell.pages * (cell.pages - 1)) / 2;
  }
  return { product, pairs };
}
