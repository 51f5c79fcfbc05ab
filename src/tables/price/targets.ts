/**
 * Targets of classes or hosts of a page table: as few crawls as keep them all, each with a price of its own. The same
 * two scans as one price takes: the survey, whose rows are then by class too, and the certificate. The certificate says
 * what each class spends and costs at its price, exactly.
 */
import { relativeGap } from '../../solvers/answer.ts';
import { unlimitedBudget } from '../../solvers/budget.ts';
import { neededByTarget } from '../../solvers/crawl-price/index.ts';
import { leftOf, measureOf } from '../../solvers/pages/targets/index.ts';
import type { StatementObjective } from '../../statements/index.ts';
import { type Engine, numberOf, TablesError } from '../engine.ts';
import type { Survey } from '../survey-pages.ts';
import { certifyPages, type EvidenceCell } from './certify-pages.ts';
import { type PageQuestion, problemOf, scaleOf, type TableTarget } from './pages.ts';
import { rescalingLoss } from './share-crawls.ts';
import { type UncertainCrawls, uncertainCrawls } from './uncertain-crawls.ts';

export interface OwnTarget {
  readonly name: string;
  readonly value: number;
}

const mostTargets = 1000;

/**
 * The table of targets: `class` or `host`, and the measure of the objective.
 *
 * @throws TablesError where columns are missing, or a name or a value is not one
 */
export async function readTargets(
  engine: Engine,
  table: string,
  { kind, objective }: { readonly kind: 'class' | 'host'; readonly objective: StatementObjective },
): Promise<OwnTarget[]> {
  if (objective === 'harmonic') throw new TablesError('--targets does not go with --objective harmonic');
  const measure = measureOf(objective);
  const { quoted } = engine.dialect;
  const names = `${quoted(kind)}, ${quoted(measure)}`;
  const rows = await engine.rows(`SELECT ${names} FROM ${engine.table(table)} LIMIT ${mostTargets + 1}`);
  if (rows.length === 0) throw new TablesError('the table of targets is empty');
  if (rows.length > mostTargets) throw new TablesError(`--targets may have at most ${mostTargets} rows`);
  const known = new Set<string>();
  return rows.map((row) => {
    const name = row[kind];
    if (typeof name !== 'string' || name === '') throw new TablesError(`--targets has a row without a ${kind}`);
    if (known.has(name)) throw new TablesError(`--targets names ${JSON.stringify(name)} twice`);
    known.add(name);
    const value = row[measure] === null ? Number.NaN : numberOf(row[measure]);
    if (value > 0 && (measure !== 'freshness' || value < 1)) return { name, value };
    const wanted = measure === 'freshness' ? 'lie between 0 and 1' : 'be above 0';
    throw new TablesError(`${measure} of ${JSON.stringify(name)} must ${wanted}; got ${String(row[measure])}`);
  });
}

export interface TargetedPages {
  readonly pages: number;
  readonly buckets: number;
  /** Crawls per time unit of the rate; no fewer than `bound` will do. */
  readonly crawls: number;
  readonly bound: number;
  readonly gap: number;
  /** Where the rates come from checks. */
  readonly uncertain?: UncertainCrawls;
  /** Of the pages of no class with a price of its own; null where they need no crawl. */
  readonly price: number | null;
  readonly scale: number;
  readonly targets: readonly PricedTarget[];
}

interface PricedTarget {
  readonly name: string;
  readonly crawls: number;
  readonly price: number;
  readonly scale: number;
  /** What it reaches, in the measure of its target. */
  readonly reached: number;
}

/** A price at which no page is crawled. */
export const priceOfNone = 1e200;

/** @throws TablesError where a target cannot be reached */
export async function priceTargets(
  engine: Engine,
  question: Omit<PageQuestion, 'rate'>,
  survey: Survey,
  asked: { readonly whole: TableTarget | null; readonly own: readonly OwnTarget[]; readonly hasChecks?: boolean },
): Promise<TargetedPages> {
  const { objective, pages } = question;
  const { hasChecks = false } = asked;
  const { buckets } = survey;
  const position = new Map(asked.own.map(({ name }, g) => [name, g]));
  const of = Int32Array.from(buckets, ({ host }) => position.get(host ?? '') ?? -1);
  const left = (value: number): number => leftOf(measureOf(objective), value);
  const scales = asked.own.map((_, g) =>
    scaleOf(
      objective,
      buckets.filter((__, b) => of[b] === g),
    ),
  );
  const empty = scales.indexOf(0);
  if (empty >= 0) throw new TablesError(`no page is of ${JSON.stringify(asked.own[empty].name)}`);
  const limit = Float64Array.from(asked.own, ({ value }, g) => left(value) * scales[g]);
  const whole = asked.whole === null ? Number.POSITIVE_INFINITY : left(asked.whole.value) * scaleOf(objective, buckets);
  const problem = problemOf({ ...question, rate: 1, hosts: [] }, buckets);
  const needed = neededByTarget(problem, { whole, own: { of, limit } }, unlimitedBudget());
  if (!needed.met) throw new TablesError('no number of crawls reaches the targets');
  const { rest } = needed;
  const common = rest?.answer.price ?? priceOfNone;
  const named = needed.groups.map(({ price }, g) => ({ host: asked.own[g].name, price, scale: 1 }));
  const statement = { pages, objective, price: common, scale: 1, hosts: named, hasChecks };
  const certified = await certifyPages(engine, statement);
  const found = certified.groups.map(({ host, spent, least }) => ({
    group: position.get(host ?? '') ?? -1,
    spent,
    least,
  }));
  const at = (group: number) => found.find((row) => row.group === group) ?? { group, spent: 0, least: 0 };
  const joined = needed.groups.flatMap(({ apart }, g) => (apart ? [] : [g]));
  const together = [-1, ...joined].reduce((sum, g) => sum + at(g).spent, 0);
  const scale = rest !== null && together > 0 ? rest.rate / together : 1;
  const targets = needed.groups.map(({ crawls, price, apart }, g): PricedTarget => {
    const { spent, least } = at(g);
    const own = apart && spent > 0 ? crawls / spent : scale;
    const share = { host: null, maxRate: 0, price, limited: apart, spent, scale: own, taken: own * spent };
    const cost = least - price * spent + rescalingLoss(objective, share);
    const { name } = asked.own[g];
    return { name, crawls: own * spent, price, scale: own, reached: left(cost / scales[g]) };
  });
  const proved = (least: number, price: number, most: number, crawls: number): number =>
    Math.min(crawls, Math.max(0, (least - most) / price));
  let bound = 0;
  let apartFrom = 0;
  for (const [g, { apart, crawls, price }] of needed.groups.entries()) {
    if (!apart) continue;
    bound += proved(at(g).least, price, limit[g], crawls);
    apartFrom += limit[g];
  }
  if (rest !== null) {
    const least = [-1, ...joined].reduce((sum, g) => sum + at(g).least, 0);
    bound += proved(least, common, whole - apartFrom, rest.rate);
  }
  const { rate } = needed;
  const gap = relativeGap(rate, bound);
  const ofRest =
    scaleOf(objective, buckets) - asked.own.reduce((sum, _, g) => sum + (needed.groups[g].apart ? scales[g] : 0), 0);
  const kept = [
    { price: common, left: (whole - apartFrom) / ofRest },
    ...needed.groups.map(({ price }, g) => ({ price, left: left(asked.own[g].value) })),
  ];
  const groupOf = (host: string | null): number => {
    const g = position.get(host ?? '') ?? -1;
    return g >= 0 && needed.groups[g].apart ? g + 1 : 0;
  };
  const priced = certified.cells.filter(({ host }) => rest !== null || groupOf(host) > 0);
  const priceOf = ({ host }: EvidenceCell) => ({ group: groupOf(host), held: undefined });
  return {
    pages: survey.pages,
    buckets: buckets.length,
    crawls: rate,
    bound,
    gap,
    ...(hasChecks && { uncertain: uncertainCrawls(priced, objective, kept, priceOf, rate) }),
    price: rest === null ? null : common,
    scale,
    targets,
  };
}
