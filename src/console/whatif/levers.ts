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

type Range = readonly [number, number];

/** Where a parameter may stand, what it is called there, and whether it is a whole number there. */
interface Place {
  readonly path: Path;
  readonly label: string;
  readonly whole?: boolean;
}

interface Rule {
  /** The first place with a number counts. */
  readonly places: readonly Place[];
  /** Its value where the request does not give one, in the first place; undefined where it may not be given. */
  readonly fallback?: (request: JsonObject) => number | undefined;
  readonly text?: (value: number) => string;
  /** Its least and largest stop; left out: four times less and more. */
  readonly within?: (request: JsonObject) => Range;
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

/** How wide the interval of the precision of all signals is. */
const precisionWidth: Watched = {
  label: 'width of the interval of the precision, all hosts together',
  text: (value) => percent(value),
  of: ({ solution }) => {
    const end = (i: number): number => number(solution, 'overall', 'precision', 'interval', i);
    return end(1) - end(0);
  },
};

/** How fast the hosts may be asked that bear a pace at all. */
const rateOfHosts: Watched = {
  label: 'requests a second, all hosts together',
  text: (value) => figure(value, 3),
  of: ({ solution }) =>
    column(solution?.hosts, 'maxRate')
      .filter(Number.isFinite)
      .reduce((sum, each) => sum + each, 0),
};

const meanGap = (times: readonly number[]): number =>
  (times.reduce((a, b) => Math.max(a, b), -Infinity) - times.reduce((a, b) => Math.min(a, b), Infinity)) /
  (times.length - 1);

const heaviest: Watched = {
  label: 'share of the heaviest page',
  text: (value) => percent(value),
  of: ({ solution }) => {
    const own = numbers(solution, 'weights');
    const weights = own.length > 0 ? own : Array.from(column(solution?.pages, 'weight'));
    return Math.max(...weights) / weights.reduce((sum, each) => sum + each, 0);
  },
};

const place = (label: string, ...path: Path): Place => ({ path, label });
const firstSlots: Place = { ...place('slots of the first crawler', 'crawlers', 0, 'slots'), whole: true };
const crawls: Place = { ...place('crawls in the interval', 'crawls'), whole: true };
const accesses: Rule = {
  places: ['rate', 'value', 'max', 'mu'].map((name) =>
    place('time between accesses, by its parameter', 'accessTime', name),
  ),
};
const starvation: Rule = { places: [place('what an idle indexer costs, beside a lost page', 'starvationWeight')] };
const confidence: Rule = {
  places: [place('confidence of the intervals', 'confidence')],
  fallback: () => 0.95,
  within: () => [0.5, 0.999],
  text: (value) => percent(value, 4),
};

const rules: Readonly<Record<string, Rule>> = {
  'crawl-plan': { places: [crawls, firstSlots, place('what the fetches may cost together', 'budget')] },
  'crawl-price': { places: [place('crawls in the interval', 'crawls'), place('crawls a unit of time', 'rate')] },
  'crawl-allocation': { places: [crawls] },
  'crawl-schedule': { places: [firstSlots] },
  'slot-assignment': { places: [firstSlots] },
  'access-frequencies': accesses,
  'access-sequence': accesses,
  'crawler-count': { ...starvation, watched: solved('crawlers to run', 'crawlers') },
  'activation-policy': { ...starvation, watched: solved('active on average', 'activeCrawlers', 'mean') },
  'threshold-policy': {
    places: [
      place('what an idle indexer costs', 'costs', 'starvation'),
      place('what an active crawler costs', 'costs', 'crawler'),
      place('what a lost page costs', 'costs', 'loss'),
    ],
    watched: solved('active on average', 'measures', 'activeCrawlers'),
  },
  'simulations/queue': {
    places: [place('time simulated', 'horizon')],
    watched: halfWidth('starvationProbability', 'time without a page to index, give or take'),
  },
  'simulations/pages': {
    places: [place('time simulated', 'horizon')],
    watched: halfWidth('freshness', 'fresh, give or take'),
  },
  'estimates/change-rates': { ...confidence, watched: relativeWidth },
  'estimates/change-signals': { ...confidence, watched: precisionWidth },
  'estimates/host-limits': {
    places: [place('share of requests that may be refused', 'refusals')],
    fallback: () => 0.01,
    within: () => [0.005, 0.5],
    text: (value) => percent(value),
    watched: rateOfHosts,
  },
  'estimates/update-process': {
    places: [place('time since the last update', 'openGap')],
    // Checks say themselves what is still open.
    fallback: (request) => (request.gaps === undefined ? undefined : 0),
    within: (request) => [0, numbers(request, 'gaps').reduce((a, b) => Math.max(a, b), 0)],
    watched: {
      label: 'log-likelihood of the best law',
      of: ({ solution }) => number(solution, 'candidates', 0, 'logLikelihood'),
      text: (value) => figure(value, 5),
    },
  },
  'estimates/arrival-process': {
    places: [place('gap within a batch', 'batchGap')],
    fallback: () => 0,
    within: (request) => [0, meanGap(numbers(request, 'timestamps')) / 2],
    watched: solved('batches', 'batches'),
  },
  'estimates/service-time': {
    places: [place('unit of time of the log', 'scale')],
    fallback: () => 1,
    watched: solved('mean service time', 'observed', 'mean'),
  },
  'estimates/embarrassment-weights': {
    places: [
      place('chance that a reader goes on to the next result', 'clicks', 'continue'),
      { ...place('queries that the log is of', 'queries'), whole: true },
    ],
    within: () => [0.02, 0.98],
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
  return { places: [{ ...place(first.name, first.name), whole: kind.kind === 'number' && kind.integer }] };
}

const valueAt = (request: JsonObject, path: Path): number => number(request, ...path);
const stopsBelow = 60;

/** Values around one: equal steps within bounds, equal ratios without; about sixty, the value itself among them. */
export function stopsAround(value: number, whole: boolean, within?: Range): number[] {
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

/** The range of the stops: that of the rule where the value lies in it; undefined where it is turned by ratios. */
function rangeAround(value: number, within: Range | undefined): Range | undefined {
  if (within !== undefined && value >= within[0] && value <= within[1]) return within;
  // A parameter below zero, such as the mean of a logarithm, has no ratio to be turned by.
  return value > 0 ? undefined : [value - 2, value + 2];
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
  const given = rule.places.find(({ path }) => Number.isFinite(valueAt(request, path)));
  const found = given ?? rule.places[0];
  const value = given ? valueAt(request, given.path) : rule.fallback?.(request);
  if (value === undefined) return undefined;
  return {
    path: found.path,
    label: found.label,
    value,
    stops: stopsAround(value, found.whole === true && value > 0, rangeAround(value, rule.within?.(request))),
    text: rule.text ?? ((each) => figure(each, 4)),
    watched: rule.watched ?? objective(objectiveLabel),
  };
}
