/**
 * The fewest whole crawls where hosts with limits have pages of several targets, proved by looking at every split.
 *
 * Model: pages of one target at one host are a cell. A cell's crawls go to its largest gains, so one count a cell says
 * all. Cells without a limit come last. Each takes the least that its own target still asks for. The largest gains of
 * all then go on until the whole is kept.
 * Method: branch and bound over the counts of the cells with limits. At the dual's prices each count costs so much more
 * than the cell's best one. A branch ends where the dual and these costs leave no room below the best total.
 * Complexity: as many splits as are about as good as the best; at most `mostSplits` looks. It says nothing beyond.
 * Source: Lagrangian relaxation in branch and bound (Geoffrion 1974).
 */
import { around } from '../../pages/groups/index.ts';
import type { Groups, TargetMet } from '../../pages/targets/index.ts';
import type { HostConstraints } from '../certificate.ts';
import { gainOfNext, meanCost } from '../gains/page-gain.ts';
import type { Pages } from '../gains/pages.ts';
import { exactCount } from './price-count.ts';

export const mostSplits = 200_000;
const mostGains = 200_000;
/** How far below the prices gains of cells without a limit are listed. */
const deep = 1e-4;
/** Sums of what is left differ by less than this from their order alone. */
const rounding = 1e-12;
/** A whole number but for rounding. */
const nearlyWhole = 1e-7;

/** What an allocation is to leave at most: Σ w·A of all pages (Infinity: no target), and of groups of them. */
export interface AllocationTarget {
  readonly whole: number;
  readonly own: Groups | null;
}

export interface TargetSearch extends AllocationTarget {
  readonly pages: Pages;
  readonly weight: Float64Array;
  readonly hosts: HostConstraints | null;
}

interface FewestCrawls {
  /** Null where no split was found that keeps all, or is better than what was known. */
  readonly crawls: Int32Array | null;
  /** No split of fewer crawls is better; 0 where not all were tried. */
  readonly untried: number;
}

/** Gains from the largest down, the pages that have them, and the sums of the first of them. */
interface Cell {
  readonly group: number;
  /** The limited hosts around it. */
  readonly hosts: readonly number[];
  readonly gains: readonly { readonly page: number; readonly gain: number }[];
  readonly sum: Float64Array;
  /** What all gains of its pages come to, those too that are not listed, at most. */
  readonly reach: number;
  /** What each count costs more than the best one, in crawls. */
  readonly excess: Float64Array;
}

/**
 * @param most a total that is known to do; Infinity for none
 * @param dual what the prices prove, not rounded
 * @returns null where the gains are too many to list
 */
export function fewestAtHosts(search: TargetSearch, met: TargetMet, most: number, dual: number): FewestCrawls | null {
  const { pages, weight, whole, own, hosts } = search;
  if (own === null || hosts === null) return null;
  const room = hosts.maxCrawls.slice();
  const need = Float64Array.from(own.limit, (each) => -each * (1 + rounding));
  let needOfAll = -whole * (1 + rounding);
  let least = 0;
  const limited = (i: number): number[] =>
    [...around(hosts.around, hosts.of[i])].filter((h) => hosts.maxCrawls[h] < 1e9);
  const inCell = new Map<string, number[]>();
  for (let i = 0; i < pages.count; i++) {
    const g = own.of[i];
    const left = weight[i] * meanCost(pages, i, pages.minimum[i]);
    if (g >= 0) need[g] += left;
    needOfAll += left;
    least += pages.minimum[i];
    const around = limited(i);
    for (const h of around) room[h] -= pages.minimum[i];
    const key = `${around.length === 0 ? -1 : hosts.of[i]} ${g}`;
    inCell.set(key, [...(inCell.get(key) ?? []), i]);
  }
  // without a target of its own and of all a page pays nothing: its gains are listed as far as those of others
  const paidBy = (g: number): number => Math.min(met.price, g < 0 ? Number.POSITIVE_INFINITY : met.own[g].ceiling);
  const lowest = met.own.reduce((least, _, g) => Math.min(least, paidBy(g)), met.price);
  let listed = 0;
  const cells: Cell[] = [];
  for (const members of inCell.values()) {
    const group = own.of[members[0]];
    const within = limited(members[0]);
    const paid = paidBy(group);
    const times = within.reduce((highest, h) => Math.max(highest, met.factor?.[h] ?? 1), 1);
    let reach = 0;
    const all: { page: number; gain: number }[] = [];
    const most = within.reduce((fewest, h) => Math.min(fewest, room[h]), mostGains);
    for (const page of members) {
      const end = within.length > 0 ? pages.maximum[page] : exactCount(pages, page, deep * Math.min(paid, lowest), 0);
      const last = Math.min(end, pages.minimum[page] + most);
      if (group < 0 && whole === Number.POSITIVE_INFINITY) break;
      if (last < pages.maximum[page]) reach += weight[page] * meanCost(pages, page, last);
      listed += last - pages.minimum[page];
      if (listed > mostGains) return null;
      for (let x = pages.minimum[page]; x < last; x++) all.push({ page, gain: gainOfNext(pages, page, x) });
    }
    const gains = all.filter(({ gain }) => gain > 0).sort((a, b) => b.gain - a.gain);
    if (within.length > 0) gains.splice(Math.max(0, most));
    const sum = new Float64Array(gains.length + 1);
    for (const [k, { gain }] of gains.entries()) sum[k + 1] = sum[k] + gain;
    const cost = sum.map((each, n) => n * times - each / paid);
    const best = cost.reduce((lowest, each) => Math.min(lowest, each), 0);
    reach += sum[gains.length];
    cells.push({ group, hosts: within, gains, sum, reach, excess: cost.map((each) => each - best) });
  }
  const found = splits(
    { cells: cells.filter((cell) => cell.hosts.length > 0), free: cells.filter((cell) => cell.hosts.length === 0) },
    { room, need, needOfAll, most: most - least, dual: dual - least },
  );
  const { counts, untried } = found;
  if (counts === null) return { crawls: null, untried };
  const crawls = pages.minimum.slice();
  for (const [cell, count] of counts) for (const { page } of cell.gains.slice(0, count)) crawls[page]++;
  return { crawls, untried };
}

interface Cells {
  readonly cells: readonly Cell[];
  readonly free: readonly Cell[];
}

interface Asked {
  readonly room: Float64Array;
  readonly need: Float64Array;
  readonly needOfAll: number;
  readonly most: number;
  readonly dual: number;
}

/** The counts of all cells with the fewest crawls below `most`, null for none. */
function splits({ cells, free }: Cells, { room, need, needOfAll, most, dual }: Asked) {
  const best: { counts: ReadonlyMap<Cell, number> | null; total: number } = { counts: null, total: most };
  let looks = 0;
  /** Splits of so many crawls at least were left out: gains beyond those listed would decide. */
  let open = Number.POSITIVE_INFINITY;
  const counts = new Map<Cell, number>();
  const left = need.slice();
  let leftOfAll = needOfAll;
  /** What cells without a limit take beside these counts. */
  const complete = (taken: number): void => {
    let total = taken;
    if (total >= best.total) return;
    for (const [g, asked] of left.entries()) if (asked > 0 && !free.some(({ group }) => group === g)) return;
    let rest = leftOfAll;
    const chosen = new Map(counts);
    for (const cell of free) {
      const asked = cell.group < 0 ? 0 : left[cell.group];
      const n = asked <= 0 ? 0 : cell.sum.findIndex((each) => each >= asked);
      chosen.set(cell, n);
      total += n;
      rest -= n < 0 ? 0 : cell.sum[n];
      if (n < 0 && asked <= cell.reach) open = Math.min(open, taken + cell.gains.length);
      if (n < 0 || total >= best.total) return;
    }
    while (rest > 0) {
      if (++total >= best.total || ++looks > mostSplits) return;
      const next = nextOf(free, chosen);
      if (next === null) {
        const more = free.reduce((all, { reach, sum, gains }) => all + reach - sum[gains.length], 0);
        if (rest <= more) open = Math.min(open, total);
        return;
      }
      const n = chosen.get(next) ?? 0;
      chosen.set(next, n + 1);
      rest -= next.gains[n].gain;
    }
    best.counts = chosen;
    best.total = total;
  };
  const go = (k: number, taken: number, excess: number): void => {
    if (++looks > mostSplits) return;
    if (k === cells.length) {
      complete(taken);
      return;
    }
    const cell = cells[k];
    const allowed = cell.hosts.reduce((fewestOf, h) => Math.min(fewestOf, room[h]), cell.gains.length);
    // the best count first, then further and further from it on each side
    const first = Math.min(allowed, cell.excess.indexOf(0));
    for (const [from, step] of [
      [first, 1],
      [first - 1, -1],
    ]) {
      for (let n = from; n >= 0 && n <= allowed; n += step) {
        if (Math.ceil(dual + excess + cell.excess[n] - nearlyWhole) >= best.total) break;
        counts.set(cell, n);
        for (const h of cell.hosts) room[h] -= n;
        if (cell.group >= 0) left[cell.group] -= cell.sum[n];
        leftOfAll -= cell.sum[n];
        go(k + 1, taken + n, excess + cell.excess[n]);
        leftOfAll += cell.sum[n];
        if (cell.group >= 0) left[cell.group] += cell.sum[n];
        for (const h of cell.hosts) room[h] += n;
      }
    }
  };
  go(0, 0, 0);
  return { counts: best.counts, untried: looks > mostSplits ? 0 : open };
}

/** The cell with the largest next gain; null where all is taken. */
function nextOf(free: readonly Cell[], chosen: ReadonlyMap<Cell, number>): Cell | null {
  let next: Cell | null = null;
  let largest = 0;
  for (const cell of free) {
    const each = cell.gains[chosen.get(cell) ?? 0]?.gain ?? 0;
    if (each > largest) [next, largest] = [cell, each];
  }
  return next;
}
