/** What would make an infeasible request feasible, by the numbers of its conflict: each repair is one change. */
import { isJsonObject, type Json, type JsonObject } from '../api/json.ts';
import { figure, seconds } from '../format.ts';
import type { Answered } from '../pictures/answered.ts';
import { list, nearestMeasure, number, numbers, rowCount, text } from '../pictures/read.ts';
import { type Path, withValue } from '../request/pointer.ts';

export type Repair =
  | { readonly kind: 'exact'; readonly label: string; readonly request: JsonObject }
  /** The smallest change of one number that will do, found by asking the service. */
  | { readonly kind: 'search'; readonly label: string; readonly search: Search };

export interface Search {
  readonly from: number;
  readonly up: boolean;
  readonly whole: boolean;
  readonly at: (value: number) => JsonObject;
}

const replaced = (request: JsonObject, path: Path, value: Json): JsonObject => {
  const next = withValue(request, path, value);
  return isJsonObject(next) ? next : request;
};

/** Raises or lowers the number at a path until there is a solution. */
function searchAt(request: JsonObject, path: Path, up: boolean, whole: boolean, label: string): Repair[] {
  const from = number(request, ...path);
  if (!Number.isFinite(from)) return [];
  return [{ kind: 'search', label, search: { from, up, whole, at: (value) => replaced(request, path, value) } }];
}

const moreOfFirst = (request: JsonObject): Repair[] =>
  searchAt(request, ['crawlers', 0, 'slots'], true, true, 'the fewest more slots of the first crawler');

const moreSlots = (request: JsonObject): Repair[] =>
  number(request, 'budget') >= 0
    ? []
    : number(request, 'crawls') >= 0
      ? searchAt(request, ['crawls'], true, true, 'the fewest crawls that do')
      : moreOfFirst(request);

/** Every longest interval stretched by the same factor. */
function longerIntervals(request: JsonObject): Repair[] {
  const own = number(request, 'maxInterval');
  const rows = list(request, 'pages').map((page) => number(page, 'maxInterval'));
  const column = numbers(request, 'pages', 'maxInterval');
  const largest = Math.max(own || 0, ...rows.map((each) => each || 0), ...column.map((each) => each || 0));
  if (!(largest > 0)) return [];
  const stretched = (value: number): JsonObject => {
    const factor = value / largest;
    let next = Number.isFinite(own) ? replaced(request, ['maxInterval'], Math.ceil(own * factor)) : request;
    rows.forEach((each, row) => {
      if (Number.isFinite(each)) next = replaced(next, ['pages', row, 'maxInterval'], Math.ceil(each * factor));
    });
    if (column.length > 0) {
      const cells = column.map((each) => (Number.isFinite(each) ? Math.ceil(each * factor) : null));
      next = replaced(next, ['pages', 'maxInterval'], cells);
    }
    return next;
  };
  const label = `the shortest longest interval that does (now ${seconds(largest)})`;
  return [{ kind: 'search', label, search: { from: largest, up: true, whole: true, at: stretched } }];
}

function ofPlan({ request, answer }: Answered): Repair[] {
  const host = text(answer.conflict, 'host');
  const position = list(request, 'hosts').findIndex((each) => text(each, 'host') === host);
  const delay: Path = ['hosts', position, 'minDelay'];
  const ownRate: Path = ['hosts', position, 'maxRate'];
  const ofHost =
    host === ''
      ? []
      : [
          ...searchAt(request, delay, false, false, `the longest delay of ${host} that still does`),
          ...searchAt(request, ownRate, true, false, `the least rate of ${host} that does`),
        ];
  const budget = list(answer.conflict, 'repairs').find((each) => text(each, 'change') === 'budget');
  const paid = number(budget, 'to');
  const moreToSpend: Repair[] = Number.isFinite(paid)
    ? [{ kind: 'exact', label: `a budget of ${figure(paid)}`, request: replaced(request, ['budget'], paid) }]
    : [];
  const { windows: _, ...always } = request;
  const open: Repair[] =
    number(answer.conflict, 'slots') === 0 && 'windows' in request
      ? [{ kind: 'exact', label: 'fetch at all times', request: always }]
      : [];
  const slots = host === '' ? moreSlots(request) : [];
  return [...moreToSpend, ...open, ...slots, ...longerIntervals(request), ...ofHost];
}

function ofAllocation({ request, answer }: Answered): Repair[] {
  const { conflict } = answer;
  const limits = text(conflict, 'limits');
  const wanted = limits === 'minCrawls' ? number(conflict, 'least') : number(conflict, 'most');
  if (limits !== 'host-minCrawls' && Number.isFinite(wanted)) {
    return [
      { kind: 'exact', label: `give out ${figure(wanted)} crawls`, request: replaced(request, ['crawls'], wanted) },
    ];
  }
  const first = list(conflict, 'hosts')[0];
  const position = list(request, 'hosts').findIndex((each) => text(each, 'host') === first);
  const path: Path = ['hosts', position, 'maxCrawls'];
  return position < 0 ? [] : searchAt(request, path, true, true, `the fewest crawls of ${String(first)} that do`);
}

function ofSchedule({ request, answer }: Answered): Repair[] {
  const [host] = list(answer.conflict, 'hosts');
  const position = list(request, 'hosts').findIndex((each) => text(each, 'host') === host);
  const at = (name: string): Path => ['hosts', position, name];
  const ofHost =
    position < 0
      ? []
      : [
          ...searchAt(request, at('minDelay'), false, false, `the longest delay of ${String(host)} that still does`),
          ...searchAt(request, at('maxCrawls'), true, true, `the fewest crawls of ${String(host)} that do`),
        ];
  if (ofHost.length > 0) return ofHost;
  const faster = searchAt(
    request,
    ['crawlers', 0, 'crawlTime'],
    false,
    false,
    'the longest crawl time that still does',
  );
  return [...moreOfFirst(request), ...faster];
}

function ofFrequencies({ request, answer }: Answered): Repair[] {
  const largest = number(answer.conflict, 'largestMinFrequency');
  if (!Number.isFinite(number(request, 'minFrequency')) || !Number.isFinite(largest)) return [];
  const label = `ask for a least frequency of ${figure(largest)}`;
  return [{ kind: 'exact', label, request: replaced(request, ['minFrequency'], largest) }];
}

function ofAssignment({ request }: Answered): Repair[] {
  const penalty = number(request, 'interval');
  const dropped: Repair = {
    kind: 'exact',
    label: `let tasks be dropped, at ${figure(penalty)} each`,
    request: replaced(request, ['unassigned'], { penalty }),
  };
  return [...moreSlots(request), ...(Number.isFinite(penalty) && rowCount(request.tasks) > 0 ? [dropped] : [])];
}

function ofServiceTime({ request }: Answered): Repair[] {
  const last = list(request, 'moments').length - 1;
  return last < 0 ? [] : searchAt(request, ['moments', last], true, false, `the least moment ${last + 1} that does`);
}

/** Rounded up in the fourth digit, so that the value itself is allowed. */
function above(value: number): number {
  const step = 10 ** (Math.floor(Math.log10(Math.abs(value) || 1)) - 3);
  return Number((Math.ceil(value / step + 1e-9) * step).toPrecision(6));
}

/** Limits of a policy or count: as far up as the nearest one asks for, or one alone, where each can be kept alone. */
function ofLimits({ request, answer }: Answered): Repair[] {
  const { conflict } = answer;
  const limits = list(conflict, 'limits');
  let next = request;
  const said: string[] = [];
  for (const each of limits) {
    const name = text(each, 'constraint');
    const limit = number(each, 'limit');
    const nearest = nearestMeasure(conflict, name);
    const reached = Number.isFinite(nearest) ? nearest : number(each, 'smallest');
    if (number(request, 'constraints', name) !== limit || !(reached > limit)) continue;
    next = replaced(next, ['constraints', name], above(reached));
    said.push(`${name} up to ${figure(above(reached))}`);
  }
  const exact: Repair[] =
    said.length === 0 ? [] : [{ kind: 'exact', label: `allow ${said.join(' and ')}`, request: next }];
  const eachAlone = limits.every((each) => number(each, 'smallest') <= number(each, 'limit'));
  if (!eachAlone) return exact;
  const searches = limits.flatMap((each) => {
    const name = text(each, 'constraint');
    return searchAt(request, ['constraints', name], true, false, `the least limit of ${name} alone that does`);
  });
  return [...exact, ...searches];
}

const repairers: Readonly<Record<string, (answered: Answered) => Repair[]>> = {
  'crawl-plan': ofPlan,
  'crawl-allocation': ofAllocation,
  'crawl-schedule': ofSchedule,
  'access-frequencies': ofFrequencies,
  'access-sequence': ofFrequencies,
  'slot-assignment': ofAssignment,
  'estimates/service-time': ofServiceTime,
  'threshold-policy': ofLimits,
  'activation-policy': ofLimits,
  'crawler-count': ofLimits,
};

/** The repairs of an infeasible answer; none for an answer that has a solution. */
export const repairsOf = (operation: string, answered: Answered): Repair[] =>
  answered.answer.status === 'infeasible' ? (repairers[operation]?.(answered) ?? []) : [];

const mostAsked = 24;

/**
 * The smallest change for which `feasible` says yes: first by steps that double, then by halves, to one where the
 * number is whole and to half a percent elsewhere. Undefined where twenty-four questions find none.
 */
export async function smallestRepair(
  { from, up, whole, at: requestAt }: Search,
  feasible: (request: JsonObject) => Promise<boolean>,
): Promise<{ value: number; request: JsonObject } | undefined> {
  const unit = whole ? Math.max(1, Math.round(Math.abs(from) / 200)) : Math.abs(from) / 64 || 1;
  const valueAt = (steps: number): number => {
    const value = from + (up ? 1 : -1) * steps * unit;
    return whole ? value : Math.max(up ? value : 0, Number(value.toPrecision(6)));
  };
  let asked = 0;
  const does = async (steps: number): Promise<boolean> => {
    asked++;
    return feasible(requestAt(valueAt(steps)));
  };
  let low = 0;
  let high = 1;
  while (!(await does(high))) {
    low = high;
    high *= 2;
    if (asked >= mostAsked) return undefined;
  }
  const fine = whole ? 1 : 0.25;
  while (high - low > fine && asked < mostAsked) {
    const middle = whole ? (low + high) >> 1 : (low + high) / 2;
    if (await does(middle)) high = middle;
    else low = middle;
  }
  const value = valueAt(high);
  return { value, request: requestAt(value) };
}
