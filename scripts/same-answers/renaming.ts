/**
 * From the words of the contract before "Half the words" to today's. A request becomes as it would be asked now, and an
 * answer as it would be told.
 *
 * What is gone has no translation: such a request says why, and is not compared. Fields of an answer that are gone or
 * new are left as they are, and show in the list of differences.
 */

type Json = Readonly<Record<string, unknown>>;

/** A request in today's words, or the reason why none asks for the same. */
export type Renamed = { readonly request: Json } | { readonly gone: string };

class Gone extends Error {}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Moves properties to new places, named by paths of `/`; one that is missing stays so. */
function moved(request: Json, places: Readonly<Record<string, string>>): Json {
  let result = request;
  for (const [from, to] of Object.entries(places)) {
    const value = result[from];
    if (value === undefined) continue;
    const { [from]: _, ...rest } = result;
    result = within(rest, to.split('/'), value);
  }
  return result;
}

function within(object: Json, [name, ...rest]: readonly string[], value: unknown): Json {
  if (rest.length === 0) return { ...object, [name]: value };
  const below = object[name];
  return { ...object, [name]: within(isObject(below) ? below : {}, rest, value) };
}

const without = (object: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/** Pages, tasks or hosts, row by row or all columns at once: the properties are those of one row, or lists of them. */
function eachRow(list: unknown, change: (row: Json, isColumns: boolean) => Json): unknown {
  if (Array.isArray(list)) return list.map((row: unknown) => (isObject(row) ? change(row, false) : row));
  return isObject(list) ? change(list, true) : list;
}

/** A bare rate is exponential; a law stays what it was. */
const queuePlaces = {
  indexingRate: 'service',
  indexing: 'service',
  starvationWeight: 'costs/starvation',
  crawlerCost: 'costs/crawler',
};

/** The pointer of a sweep, and whatever else names a property of the request. */
function sweptElsewhere(request: Json, places: Readonly<Record<string, string>>): Json {
  const { sweep } = request;
  if (!isObject(sweep) || typeof sweep.parameter !== 'string') return request;
  const [, head, ...rest] = sweep.parameter.split('/');
  const to = places[head];
  return to === undefined
    ? request
    : { ...request, sweep: { ...sweep, parameter: ['', ...to.split('/'), ...rest].join('/') } };
}

function crawlerCount(old: Json): Json {
  const places = { ...queuePlaces, maxCrawlers: 'crawlers' };
  const evaluate = old.curve ?? old.crawlers;
  const asked = moved(without(old, 'crawlers', 'curve', 'front'), places);
  const request = sweptElsewhere(asked, { ...places, crawlers: 'evaluate', curve: 'evaluate' });
  return evaluate === undefined ? request : { ...request, evaluate };
}

function activationPolicy(old: Json): Json {
  const request = moved(without(old, 'algorithm', 'tolerance', 'relaxation', 'front'), {
    ...queuePlaces,
    targets: 'evaluate/targets',
  });
  return sweptElsewhere(request, queuePlaces);
}

function thresholdPolicy(old: Json): Json {
  const places = {
    policy: 'evaluate',
    quantiles: 'measures/response/quantiles',
    times: 'measures/response/times',
    transformAt: 'measures/response/transformAt',
  };
  const { measures, ...rest } = old;
  const request = moved(without(rest, 'repairDiagonal', 'search', 'front'), places);
  return sweptElsewhere(measures === undefined ? request : withMeasures(request, measures), places);
}

/** `measures` was a list of names beside those of the response. */
function withMeasures(request: Json, measures: unknown): Json {
  if (!Array.isArray(measures)) return request;
  const asked = isObject(request.measures) ? request.measures : {};
  const named = Object.fromEntries(measures.map((name: unknown) => [String(name), true]));
  return { ...request, measures: { ...asked, ...named } };
}

function simulationsQueue(old: Json): Json {
  const { targets, ...rest } = old;
  const request = moved(without(rest, 'repairDiagonal'), { ...queuePlaces, policy: 'evaluate', horizon: 'duration' });
  return targets === undefined ? request : { ...request, evaluate: { targets } };
}

/** Poisson updates are a change rate now, in rows and in columns. */
function withChangeRate(row: Json, isColumns: boolean): Json {
  const { updates } = row;
  if (isObject(updates) && updates.type === 'poisson') {
    const { matters } = updates;
    const rate =
      typeof updates.rate === 'number' && typeof matters === 'number' ? updates.rate * matters : updates.rate;
    return { ...without(row, 'updates'), changeRate: rate };
  }
  if (!isColumns) return row;
  const { process, rate } = row;
  if (process === 'poisson') return { ...without(row, 'process', 'rate'), changeRate: rate };
  if (!Array.isArray(process) || !process.includes('poisson')) return row;
  const cell = (column: unknown, i: number): unknown => (Array.isArray(column) ? column[i] : column);
  const isPoisson = process.map((name: unknown) => name === 'poisson');
  return {
    ...row,
    process: process.map((name: unknown) => (name === 'poisson' ? null : name)),
    changeRate: isPoisson.map((poisson, i) => (poisson ? cell(rate, i) : null)),
    ...(rate !== undefined && { rate: isPoisson.map((poisson, i) => (poisson ? null : cell(rate, i))) }),
  };
}

const withUpdates = (old: Json): Json => ({ ...old, pages: eachRow(old.pages, withChangeRate) });

function accessSequence(old: Json): Json {
  const { method, fibonacciIndex } = old;
  if (method === 'earliest-deadline' || method === 'index' || method === 'tree') throw new Gone(`the method ${method}`);
  if (typeof fibonacciIndex !== 'number') return old;
  const cycleLength = Math.round(((1 + Math.sqrt(5)) / 2) ** fibonacciIndex / Math.sqrt(5));
  return { ...without(old, 'fibonacciIndex'), cycleLength };
}

function planPages(row: Json, isColumns: boolean): Json {
  const { windowItems, lossProbability } = row;
  if (isColumns && windowItems !== undefined) throw new Gone('columns of feeds');
  if (row.cost !== undefined || row.costIfChanged !== undefined) throw new Gone('costs of fetches');
  if (row.precision !== undefined || row.recall !== undefined) throw new Gone('precision and recall of a page');
  const kept = without(row, 'windowItems', 'lossProbability', 'group');
  return {
    ...kept,
    ...(typeof windowItems === 'number' && {
      feed: { items: windowItems, ...(typeof lossProbability === 'number' && { loss: lossProbability }) },
    }),
  };
}

const goneOfPlans = ['estimator', 'groups', 'bursts', 'exploration', 'rhythm', 'peak'];

function crawlPlan(old: Json): Json {
  if (old.spending !== undefined || old.budget !== undefined) throw new Gone('a sum to spend');
  const request = moved(without(old, ...goneOfPlans), { horizon: 'planFor', floor: 'evenShare' });
  if (request.planFor === 'interval') throw new Gone('a plan for one interval');
  if (JSON.stringify(old.hosts ?? []).includes('"within"')) throw new Gone('hosts within others');
  if (JSON.stringify(old.hosts ?? []).includes('"windows"')) throw new Gone('windows of hosts');
  return {
    ...without(request, 'planFor'),
    pages: eachRow(request.pages, planPages),
  };
}

const renamings: Readonly<Record<string, (old: Json) => Json>> = {
  'crawler-count': crawlerCount,
  'activation-policy': activationPolicy,
  'threshold-policy': thresholdPolicy,
  'simulations/queue': simulationsQueue,
  'crawl-allocation': withUpdates,
  'crawl-schedule': withUpdates,
  'access-sequence': accessSequence,
  'crawl-plan': crawlPlan,
};

/** The request as it would be asked now. */
export function requestNow(operation: string, old: unknown): Renamed {
  if (!isObject(old)) return { gone: 'no object' };
  try {
    return { request: renamings[operation]?.(old) ?? old };
  } catch (error) {
    if (error instanceof Gone) return { gone: error.message };
    throw error;
  }
}

/** Names in answers that are others now, wherever they stand. */
const namesInAnswers: Readonly<Record<string, string>> = {
  criticalStarvationWeight: 'criticalStarvationCost',
};

/** The answer as it would be told now. */
export function answerNow(operation: string, old: unknown): unknown {
  if (Array.isArray(old)) return old.map((item: unknown) => answerNow(operation, item));
  if (!isObject(old)) return old;
  const evaluated = operation === 'threshold-policy' && old.status === 'evaluated';
  return Object.fromEntries(
    Object.entries(old).map(([name, value]) => {
      if (evaluated && name === 'solution') return ['evaluation', answerNow(operation, value)];
      if (operation === 'crawler-count' && name === 'curve') return ['evaluation', answerNow(operation, value)];
      if (operation === 'crawler-count' && name === 'evaluation') return [name, [answerNow(operation, value)]];
      return [namesInAnswers[name] ?? name, answerNow(operation, value)];
    }),
  );
}
