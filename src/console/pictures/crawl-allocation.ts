/** crawl-allocation: who gets how many crawls, what more crawls would buy, and how the simple rules do. */
import { figure } from '../format.ts';
import { widened } from './access-frequencies.ts';
import { bars, chart, ink, logAxis, Plot, wholeTick } from './chart.ts';
import { dots, extent } from './dots.ts';
import type { Answered, FollowUp, Illustrator, Picture } from './picture.ts';
import { at, cells, column, nameOf, number, rowCount } from './read.ts';

/** Mean changes per time unit of a page, whatever its update process. */
function rateOfLaw(law: unknown): number {
  const type = at(law, 'type');
  const value = (name: string): number => number(law, name);
  if (type === 'lomax') return (value('shape') - 1) / value('scale');
  if (type === 'pareto') return (value('shape') - 1) / (value('shape') * value('scale'));
  if (type === 'gamma' || type === 'erlang') return value('rate') / value('shape');
  if (type === 'exponential') return value('rate');
  if (type === 'deterministic') return 1 / value('value');
  if (type === 'uniform') return 2 / (value('min') + value('max'));
  if (type === 'lognormal') return Math.exp(-value('mu') - value('sigma') ** 2 / 2);
  // Close enough to place a dot on a logarithmic axis: the scale of a Weibull law is near its mean.
  if (type === 'weibull') return 1 / value('scale');
  return Number.NaN;
}

const sumOf = (list: unknown): number =>
  Array.isArray(list) ? list.reduce((sum: number, item) => sum + (typeof item === 'number' ? item : 0), 0) : Number.NaN;

/** Changes per time unit of every page. */
export function updateRates(pages: unknown, interval: number): Float64Array {
  if (Array.isArray(pages)) {
    return Float64Array.from(pages, (page) => {
      const updates = at(page, 'updates');
      if (at(updates, 'type') === 'poisson') return number(updates, 'rate');
      if (at(updates, 'type') === 'quasi-deterministic') return sumOf(at(updates, 'probabilities')) / interval;
      return rateOfLaw(at(updates, 'distribution'));
    });
  }
  const process = cells(pages, 'process');
  const columns = ['rate', 'shape', 'scale', 'mu', 'sigma', 'value'].map((name) => [name, cells(pages, name)] as const);
  const probabilities = cells(pages, 'probabilities');
  return Float64Array.from(process, (type, i) => {
    const law = Object.fromEntries([['type', type], ...columns.map(([name, values]) => [name, values[i]])]);
    if (type === 'poisson') return number(law, 'rate');
    return type === 'quasi-deterministic' ? sumOf(probabilities[i]) / interval : rateOfLaw(law);
  });
}

function crawlsAgainstRate({ request, answer }: Answered): Picture {
  const rate = updateRates(request.pages, number(request, 'interval'));
  const weight = column(request.pages, 'weight', 1);
  const crawls = column(answer.solution?.pages, 'crawls');
  const staleness = column(answer.solution?.pages, 'staleness');
  const [low, high] = extent(weight);
  // Three classes of weight: thirds of the range on a logarithmic scale.
  const position = (w: number): number =>
    low > 0 && high > low * 1.01 ? Math.min(2, Math.floor((3 * Math.log(w / low)) / Math.log(high / low))) : 1;
  const classes = Uint8Array.from(weight, position);
  const colors = [ink.grey, ink.blue, ink.orange];
  const labels = ['light pages', 'middling', 'heavy pages'];
  // The legend has the classes there are: pages of one weight are one.
  const present = [0, 1, 2].filter((each) => classes.includes(each));
  const jitter = crawls.length > 300 ? 0.35 : 0;
  const y = crawls.map((each, i) => each + jitter * (((i * 0.618034) % 1) - 0.5));
  return {
    id: 'crawls',
    title: 'Crawls against change rate and weight',
    keys: present.map((each) => ({
      label: present.length > 1 ? labels[each] : 'a page',
      color: colors[each],
      shape: 'dot' as const,
    })),
    draw: (width) =>
      chart(width, {
        x: logAxis(widened(extent(rate, true)), 'changes per time unit'),
        y: {
          label: 'crawls in the interval',
          tickFormat: wholeTick,
          domain: [-0.5, Math.max(1, extent(crawls)[1]) + 0.5],
        },
        marks: dots(
          {
            x: rate,
            y,
            color: classes,
            colors,
            title: (i) =>
              `${nameOf(request.pages, i)}\nchanges ${figure(rate[i])} a time unit, weight ${figure(weight[i])}\n${figure(crawls[i])} crawls, stale ${figure(staleness[i])} of the time`,
          },
          { logX: true, radius: 4.5 },
        ),
        color: { type: 'identity' },
      }),
  };
}

interface BudgetPoint {
  readonly crawls: number;
  readonly optimal: number;
  readonly uniform: number;
  readonly proportional: number;
}

function budgetPoints({ answer, request, extras }: Answered): BudgetPoint[] {
  const point = (crawls: number, from: unknown): BudgetPoint => ({
    crawls,
    optimal: number(from, 'objective', 'value'),
    uniform: number(from, 'baselines', 'uniform'),
    proportional: number(from, 'baselines', 'proportional'),
  });
  const points = [...extras.values()].map((extra) => point(number(extra.request, 'crawls'), extra.answer));
  return [...points, point(number(request, 'crawls'), answer)].sort((a, b) => a.crawls - b.crawls);
}

/** What an objective value over all weights is: a share of time, or the mean of what the request's objective counts. */
const measures: Readonly<Record<string, { readonly name: string; readonly label: string }>> = {
  freshness: { name: 'Staleness', label: 'mean staleness, by weight' },
  delay: { name: 'Items waiting', label: 'items waiting at a page, by weight' },
  age: { name: 'Age', label: 'mean age in time units, by weight' },
  harmonic: { name: 'Harmonic cost', label: 'mean harmonic cost, by weight' },
};

const measureOf = ({ request }: Pick<Answered, 'request'>): (typeof measures)[string] =>
  measures[String(at(request, 'objective') ?? 'freshness')] ?? measures.freshness;

const totalWeight = ({ request }: Answered): number =>
  column(request.pages, 'weight', 1).reduce((sum, each) => sum + each, 0);

function budgetCurve(answered: Answered): Picture {
  const total = totalWeight(answered);
  const points = budgetPoints(answered);
  const lines = points.flatMap(({ crawls, optimal, uniform, proportional }) => [
    { crawls, share: optimal / total, color: ink.blue },
    { crawls, share: uniform / total, color: ink.orange },
    { crawls, share: proportional / total, color: ink.violet },
  ]);
  const crawls = number(answered.request, 'crawls');
  const here = [{ crawls, share: number(answered.answer, 'objective', 'value') / total }];
  const known = lines.filter(({ share }) => Number.isFinite(share));
  const [lowest, highest] = extent(known.map(({ share }) => share));
  const { name, label } = measureOf(answered);
  const most = name === 'Staleness' ? 1 : Number.POSITIVE_INFINITY;
  return {
    id: 'budget-curve',
    title: `${name} against the crawl budget`,
    keys: [
      { label: 'optimal', color: ink.blue, shape: 'line' },
      { label: 'uniform', color: ink.orange, shape: 'line' },
      { label: 'proportional to change rate', color: ink.violet, shape: 'line' },
      { label: 'this budget', color: ink.green, shape: 'dot' },
    ],
    draw: (width) =>
      chart(width, {
        x: { label: 'crawls in the interval' },
        y: {
          label,
          domain: [lowest > 0.4 ? lowest * 0.9 : 0, Math.min(most, highest * 1.05)],
        },
        marks: [
          Plot.lineY(known, { x: 'crawls', y: 'share', stroke: 'color', z: 'color', strokeWidth: 1.75 }),
          Plot.dot(
            known.filter(({ color }) => color === ink.blue),
            { x: 'crawls', y: 'share', fill: ink.blue, r: 2.2 },
          ),
          Plot.ruleX([crawls], { stroke: ink.green, strokeDasharray: '4 3' }),
          Plot.dot(here, { x: 'crawls', y: 'share', fill: ink.green, stroke: ink.surface, strokeWidth: 1.5, r: 6 }),
        ],
        color: { type: 'identity' },
      }),
  };
}

function againstSimpleRules(answered: Answered): Picture {
  const total = totalWeight(answered);
  const { answer, extras, request } = answered;
  const crawls = number(request, 'crawls');
  const own = [
    answer,
    ...[...extras.values()].filter((extra) => number(extra.request, 'crawls') === crawls).map((extra) => extra.answer),
  ];
  const baseline = (name: string): number =>
    own.map((each) => number(each, 'baselines', name)).find((value) => Number.isFinite(value)) ?? Number.NaN;
  const data = [
    { label: 'optimal', value: number(answer, 'objective', 'value') / total, color: ink.blue },
    { label: 'uniform', value: baseline('uniform') / total, color: ink.orange },
    { label: 'proportional', value: baseline('proportional') / total, color: ink.violet },
  ];
  return {
    id: 'baselines',
    title: 'Against the simple rules',
    note: 'Uniform gives every page the same; proportional gives in proportion to change rate.',
    draw: (width) => bars(width, data, measureOf(answered).label),
  };
}

/** The budgets asked about: from a twentieth to three times the given one; fewer where a request is large. */
function budgets(crawls: number, pages: number): number[] {
  const count = pages > 20_000 ? 5 : pages > 2000 ? 9 : 20;
  const wanted = Array.from({ length: count }, (_, i) => Math.round((crawls * 3 * (i + 1)) / count));
  return [...new Set([crawls, ...wanted])].filter((each) => each > 0);
}

export const crawlAllocation: Illustrator = {
  followUps(request): FollowUp[] {
    const { idealTimes: _, ...rest } = request;
    return budgets(number(request, 'crawls'), rowCount(request.pages)).map((crawls) => ({
      key: `crawls ${crawls}`,
      operation: 'crawl-allocation',
      request: { ...rest, crawls, baselines: true },
    }));
  },
  pictures: (answered) =>
    answered.answer.solution ? [crawlsAgainstRate(answered), budgetCurve(answered), againstSimpleRules(answered)] : [],
  headline: ({ request, answer: { solution, objective } }) => [
    ['pages', figure(rowCount(request.pages))],
    [
      measureOf({ request }).label,
      figure((objective?.value ?? Number.NaN) / column(request.pages, 'weight', 1).reduce((a, b) => a + b, 0)),
    ],
    ['one more crawl would save', figure(number(solution, 'certificate', 'maxNextGain'))],
    ['shadow price', figure(number(solution, 'shadowPrice'))],
  ],
};
