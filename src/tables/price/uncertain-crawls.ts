/**
 * Between which numbers the crawls lie that keep a target, where `tables rates` made the table's rates of checks.
 *
 * Rates of few checks are spread too far apart, which no page shows by itself. So populations of rates are tried
 * (solvers/pages/evidence/populations.ts). The pages are counted in cells of like rates, checks, changes and weights, in
 * the certificate's scan. What pages leave and take differs besides, each by itself: by the spread of what is believed.
 */
import { unlimitedBudget } from '../../solvers/budget.ts';
import { likelihoodsOfSums } from '../../solvers/estimation/index.ts';
import { normal95 } from '../../solvers/numerics/special/normal-quantile.ts';
import { mostCounted, neededByPopulations, type Response } from '../../solvers/pages/evidence/index.ts';
import { stalenessCost } from '../../solvers/pages/objectives/index.ts';
import type { StatementObjective } from '../../statements/index.ts';
import type { EvidenceCell } from './certify-pages.ts';

/** Pages that keep a target together. */
export interface KeptGroup {
  readonly price: number;
  /** What may be left, in the mean, by the measure of the objective. */
  readonly left: number;
}

/** The target that a cell's pages belong to, and where a limit of their host sets how often they are fetched, its price. */
export interface CellPrice {
  readonly group: number;
  readonly held: number | undefined;
}

/** Octaves that the prices are moved by: closer about those found. */
const octaves = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6];
const multiples = [...octaves.toReversed().map((each) => -each), 0, ...octaves].map((each) => 2 ** each);
const mostCells = 2048;
/** Changes between two fetches of a page that no price fetches. */
const never = 1e9;

/** Pages of so many checks and changes, and by how many crawls they move the number where all are off alike. */
interface Kind {
  readonly pages: number;
  readonly checks: number;
  readonly changes: number;
  readonly crawls: number;
}

export interface UncertainCrawls {
  /** 95%; the crawls found are never left out. */
  readonly crawlsInterval: readonly [number, number];
  /** The kinds that move it most. */
  readonly hangsOn: readonly Kind[];
}

/** The uncertain crawls with every number of crawls in another unit. */
export function inUnit(
  { crawlsInterval, hangsOn }: UncertainCrawls,
  perUnit: (crawls: number) => number,
): UncertainCrawls {
  const [low, high] = crawlsInterval;
  return {
    crawlsInterval: [perUnit(low), perUnit(high)],
    hangsOn: hangsOn.map((kind) => ({ ...kind, crawls: perUnit(kind.crawls) })),
  };
}

const shown = 5;

/** Of crawls per time unit of the rates. */
export function uncertainCrawls(
  all: readonly EvidenceCell[],
  objective: StatementObjective,
  groups: readonly KeptGroup[],
  priceOf: (cell: EvidenceCell) => CellPrice,
  found: number,
): UncertainCrawls {
  const cost = stalenessCost(objective);
  const cells = sampled(all);
  const prices = cells.map(priceOf);
  const column = (of: (cell: EvidenceCell) => number): Float64Array => Float64Array.from(cells, of);
  const pages = column((cell) => cell.pages);
  const respond = (row: number, rate: number, multiple: number, into: Response): void => {
    const { weight, rate: believed } = cells[row];
    const { group, held } = prices[row];
    const { price, left } = groups[group];
    const best =
      held === undefined ? cost.intervalAt(rate, weight, multiple * price) : cost.intervalAt(believed, weight, held);
    const wait = Math.min(best, never / rate);
    // the mean delay is by changes, which are not known: what may be left moves with them
    const allowed = objective === 'delay' ? left * rate : 0;
    into.left = (weight * (cost.integral(rate, wait) / wait - allowed)) / price;
    into.crawls = 1 / wait;
  };
  // what the plan leaves and takes of these cells by their rates
  const limit = new Float64Array(groups.length);
  let taken = 0;
  const into: Response = { left: 0, crawls: 0 };
  for (const [row, { group }] of prices.entries()) {
    respond(row, cells[row].rate, 1, into);
    limit[group] += pages[row] * into.left;
    taken += pages[row] * into.crawls;
  }
  const needed = neededByPopulations(
    {
      ...likelihoodsOfSums({
        rate: column(({ rate }) => rate),
        checks: column(({ checks }) => checks),
        changes: column(({ changes }) => changes),
        watched: column(({ watched }) => watched),
        unchanged: column(({ unchanged }) => unchanged),
      }),
      pages,
      known: cells.map(() => null),
      group: Uint32Array.from(prices, ({ group }) => group),
      limit,
      multiples,
      respond,
    },
    unlimitedBudget(),
  );
  if (needed === null) return { crawlsInterval: [found, found], hangsOn: [] };
  // as of no more pages than are counted
  const counted = Math.min(1, mostCounted / pages.reduce((sum, each) => sum + each, 0));
  const own = needed.spread.reduce((sum, each, row) => sum + pages[row] * each, 0) / counted;
  const half = normal95 * Math.sqrt(needed.variance + own / Math.exp(2 * needed.middle));
  const middle = needed.middle - Math.log(taken);
  return {
    crawlsInterval: [found * Math.exp(Math.min(0, middle - half)), found * Math.exp(Math.max(0, middle + half))],
    hangsOn: kindsOf(cells, needed.spread),
  };
}

function kindsOf(cells: readonly EvidenceCell[], spread: Float64Array): readonly Kind[] {
  const kinds = new Map<string, Kind>();
  for (const [row, cell] of cells.entries()) {
    const [checks, changes] = [Math.round(cell.checks), Math.round(cell.changes)];
    const name = `${checks} ${changes}`;
    const { pages, crawls } = kinds.get(name) ?? { pages: 0, crawls: 0 };
    const moved = normal95 * cell.pages * Math.sqrt(spread[row]);
    kinds.set(name, { pages: pages + cell.pages, checks, changes, crawls: crawls + moved });
  }
  return [...kinds.values()].toSorted((a, b) => b.crawls - a.crawls).slice(0, shown);
}

/** At most so many cells, each as often as it has pages. */
function sampled(cells: readonly EvidenceCell[]): readonly EvidenceCell[] {
  if (cells.length <= mostCells) return cells;
  const step = cells.reduce((sum, { pages }) => sum + pages, 0) / mostCells;
  let [before, drawn] = [0, 0];
  return cells
    .toSorted((a, b) => (a.host ?? '').localeCompare(b.host ?? '') || a.rate - b.rate)
    .flatMap((cell) => {
      before += cell.pages;
      const times = Math.floor(before / step + 0.5) - drawn;
      drawn += times;
      return times > 0 ? [{ ...cell, pages: times * step }] : [];
    });
}
