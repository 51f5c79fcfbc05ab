/** The main parameter of each operation: what people turn first when they ask what if, and what they watch. */
import type { Answer } from '../api/answer.ts';
import type { JsonObject, Schema } from '../api/json.ts';
import { figure, percent } from '../format.ts';
import { cells, column, number, numbers } from '../pictures/read.ts';
import { fieldKind, propertiesOf } from '../request/field-kind.ts';
import type { Path } from '../request/pointer.ts';

/** What is watched while the lever is turned. */
export interface Watched {
  readonly label: string;
  readonly of: (answer: Answer, request: JsonObject) => number;
  readonly text: (value: number) => string;
}

interface Rule {
  /** Where the parameter may stand; the first place with a number counts. */
  readonly paths: readonly Path[];
  readonly label: string;
  /** Its value where the request does not give one. */
  readonly fallback?: number;
  readonly text?: (value: number) => string;
  readonly whole?: boolean;
  readonly within?: readonly [number, number];
  /** Left out: the objective. */
  readonly watched?: Watched;
}

export interface Lever {
  readonly path: Path;
  readonly label: string;
  readonly value: number;
  /** The values it stops at, rising. */
  readonly stops: readonly number[];
  readonly text: (value: number) => string;
  readonly watched: Watched;
}

const solved = (label: string, ...path: string[]): Watched => ({
  label,
  of: (answer) => number(answer.solution, ...path),
  text: (value) => figure(value, 3),
});
const shareOf = (watched: Watched): Watched => ({ ...watched, text: (value) => percent(value) });
const halfWidth = (measure: string, label: string): Watched => ({
  label,
  text: (value) => percent(value),
  of: (answer) => {
    const end = (i: number): number => number(answer.solution, 'measures', measure, 'interval', i);
    return (end(1) - end(0)) / 2;
  },
});

/** How wide the intervals are beside the rates, in the middle. */
const relativeWidth: Watched = {
  label: 'width of the middle interval, in rates',
  text: (value) => figure(value, 3),
  of: (answer) => {
    const pages = answer.solution?.pages;
    const rate = column(pages, 'rate');
    const widths = cells(pages, 'interval')
      .map((interval, i) => (number(interval, 1) - number(interval, 0)) / rate[i])
      .filter(Number.isFinite)
      .sort((a, b) => a - b);
    return widths[widths.length >> 1] ?? Number.NaN;
  },
};

const heaviest: Watched = {
  label: 'share of the heaviest page',
  text: (value) => percent(value),
  of: ({ solution }) => {
    const own = numbers(solution, 'weights');
    const weights = own.length > 0 ? own : Array.from(column(solution?.pages, 'weight'));
    return Math.max(...weights) / weights.reduce((sum, each) => sum + each, 0);
  },
};

const firstSlots: Path = ['crawlers', 0, 'slots'];
const crawls = { paths: [['crawls'], firstSlots], label: 'crawls in the interval', whole: true } satisfies Rule;
const accesses: Rule = {
  paths: [
    ['accessTime', 'rate'],
    ['accessTime', 'value'],
    ['accessTime', 'max'],
    ['accessTime', 'mu'],
  ],
  label: 'time between accesses, by its parameter',
};
const starvation: Rule = { paths: [['starvationWeight']], label: 'what an idle indexer costs, beside a lost page' };

const rules: Readonly<Record<string, Rule>> = {
  'crawl-plan': crawls,
  'crawl-price': { ...crawls, paths: [['crawls'], ['rate']], whole: false },
  'crawl-allocation': crawls,
  'crawl-schedule': { ...crawls, paths: [firstSlots], label: 'slots of the first crawler' },
  'slot-assignment': { ...crawls, paths: [firstSlots], label: 'slots of the first crawler' },
  'access-frequencies': accesses,
  'access-sequence': accesses,
  'crawler-count': { ...starvation, watched: solved('crawlers to run', 'crawlers') },
  'activation-policy': { ...starvation, watched: solved('active on average', 'activeCrawlers', 'mean') },
  'threshold-policy': {
    paths: [['costs', 'loss']],
    label: 'what a lost page costs',
    watched: shareOf(solved('pages lost', 'measures', 'lossProbability')),
  },
  'simulations/queue': {
    paths: [['horizon']],
    label: 'time simulated',
    watched: halfWidth('lossProbability', 'pages lost, give or take'),
  },
  'simulations/pages': {
    paths: [['horizon']],
    label: 'time simulated',
    watched: halfWidth('freshness', 'fresh, give or take'),
  },
  'estimates/change-rates': {
    paths: [['confidence']],
    label: 'confidence of the intervals',
    fallback: 0.95,
    within: [0.5, 0.999],
    text: (value) => percent(value, 4),
    watched: relativeWidth,
  },
  'estimates/update-process': {
    paths: [['openGap']],
    label: 'time since the last update',
    watched: {
      label: 'log-likelihood of the best law',
      of: ({ solution }) => number(solution, 'candidates', 0, 'logLikelihood'),
      text: (value) => figure(value, 5),
    },
  },
  'estimates/arrival-process': {
    paths: [['batchGap']],
    label: 'gap within a batch',
    watched: solved('batches', 'batches'),
  },
  'estimates/service-time': {
    paths: [['scale']],
    label: 'unit of time of the log',
    fallback: 1,
    watched: solved('mean service time', 'observed', 'mean'),
  },
  'estimates/embarrassment-weights': {
    paths: [['clicks', 'continue']],
    label: 'chance that a reader goes on to the next result',
    within: [0.02, 0.98],
    watched: heaviest,
  },
};

/** The operations whose main parameter is named here. */
export const operationsWithLever: readonly string[] = Object.keys(rules);

const objective = (label: string): Watched => ({
  label,
  of: (answer) => answer.objective?.value ?? Number.NaN,
  text: (value) => figure(value, 4),
});

/** An operation without a rule of its own is turned by the first number that its schema requires. */
function ruleOf(schema: Schema): Rule | undefined {
  const first = propertiesOf(schema).find((each) => each.required && fieldKind(each.schema).kind === 'number');
  if (first === undefined) return undefined;
  const kind = fieldKind(first.schema);
  return { paths: [[first.name]], label: first.name, whole: kind.kind === 'number' && kind.integer };
}

const valueAt = (request: JsonObject, path: Path): number => number(request, ...path);
const stopsBelow = 60;

/** Values around one: equal steps within bounds, equal ratios without; about sixty, the value itself among them. */
export function stopsAround(value: number, whole: boolean, within?: readonly [number, number]): number[] {
  const stops = new Set([value]);
  for (let i = 0; i <= stopsBelow; i++) {
    const share = i / stopsBelow;
    const at = within
      ? within[0] + share * (within[1] - within[0])
      : whole && value <= 12
        ? 1 + share * Math.max(11, 3 * value)
        : value * 4 ** (2 * share - 1);
    const rounded = whole ? Math.max(1, Math.round(at)) : Number(at.toPrecision(3));
    stops.add(rounded);
  }
  return [...stops].sort((a, b) => a - b);
}

/** The lever of an operation at a request; undefined where it has none. */
export function leverOf(
  operation: string,
  schema: Schema,
  request: JsonObject,
  objectiveLabel: string,
): Lever | undefined {
  const rule = rules[operation] ?? ruleOf(schema);
  if (rule === undefined) return undefined;
  const given = rule.paths.find((path) => Number.isFinite(valueAt(request, path)));
  const path = given ?? (rule.fallback === undefined ? undefined : rule.paths[0]);
  if (path === undefined) return undefined;
  const value = given ? valueAt(request, path) : (rule.fallback ?? Number.NaN);
  // A parameter below zero, such as the mean of a logarithm, has no ratio to be turned by.
  const within: readonly [number, number] | undefined = value > 0 ? rule.within : [value - 2, value + 2];
  return {
    path,
    label: path === firstSlots ? 'slots of the first crawler' : rule.label,
    value,
    stops: stopsAround(value, (rule.whole ?? false) && value > 0, within),
    text: rule.text ?? ((each) => figure(each, 4)),
    watched: rule.watched ?? objective(objectiveLabel),
  };
}
