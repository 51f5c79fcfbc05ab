/** The histogram of a request: its columns, and what the sums of a bucket must have in common. */
import type { ObjectiveName } from '../../solvers/pages/objectives/index.ts';
import { id, number, pageCount, rate, weight } from '../contract/field.ts';
import { nameText, real } from '../contract/range.ts';
import type { Refuse } from '../contract/refusals.ts';
import { placeIn, type Table } from '../table/table.ts';

const ratio = real({ atLeast: 1e-100, atMost: 1e100 });

export const bucketColumns = {
  pages: real({ atLeast: 1, atMost: 1e15 }).meta(pageCount('How many pages')),
  changeRate: real({ above: 0, atMost: 1e100 }).meta(rate('Sum of the change rates λ')),
  weight: real({ above: 0, atMost: 1e200 }).meta(weight('Sum of the weights w')),
  changeRateLogRatio: real({ atLeast: -1e200, atMost: 1e200 }).meta(rate('Sum of λ·ln(ratio)')),
  ratioMin: ratio.meta(number('Least ratio')),
  ratioMax: ratio.meta(number('Largest ratio')),
  weightTimesRate: real({ above: 0, atMost: 1e300 }).optional().meta(weight('Sum of weight·λ, for meanDelay')),
  host: nameText.optional().meta(id('Host of the pages')),
};

/** By bucket: the sum of what the objective's measure is a mean by, weights or weights times rates. */
export function scalesOf(buckets: Buckets, objective: ObjectiveName, refuse: Refuse): Float64Array {
  const { pages, changeRate, weight, weightTimesRate } = buckets.columns;
  if (objective !== 'delay') return weight;
  for (let b = 0; b < buckets.length; b++) {
    if (weightTimesRate[b] > 0 || pages[b] === 1) continue;
    const message = `is needed for meanDelay, as the bucket has ${pages[b]} pages: SUM(weight * change rate) of them`;
    refuse(placeIn('buckets', buckets)(b, 'weightTimesRate'), 'column-missing', message, undefined);
    break;
  }
  return weightTimesRate.map((sum, b) => (sum > 0 ? sum : weight[b] * changeRate[b]));
}

/** What the sums of a bucket must have in common, to within the rounding of sums over very many pages. */
export function checkBuckets(buckets: Buckets, refuse: Refuse): void {
  const slack = 1e-7;
  const { changeRate, weight, changeRateLogRatio, weightTimesRate, ratioMin, ratioMax } = buckets.columns;
  for (let b = 0; b < buckets.length; b++) {
    const at = (name: string): (string | number)[] => placeIn('buckets', buckets)(b, name);
    const low = ratioMin[b];
    const high = ratioMax[b];
    if (low > high) {
      refuse(at('ratioMin'), 'out-of-range', `must be at most the bucket's ratioMax of ${high}; got ${low}`, low);
      continue;
    }
    const mean = weight[b] / changeRate[b];
    if (!(mean >= low * (1 - slack) && mean <= high * (1 + slack))) {
      const message = `must be between ${low} and ${high} times the bucket's changeRate, as each ratio is; it is ${mean} times`;
      refuse(at('weight'), 'out-of-range', message, weight[b]);
      continue;
    }
    const most = weight[b] * changeRate[b];
    if (weightTimesRate[b] > most * (1 + slack)) {
      const message = `must be at most the bucket's weight times its changeRate, ${most}; got ${weightTimesRate[b]}`;
      refuse(at('weightTimesRate'), 'out-of-range', message, weightTimesRate[b]);
      continue;
    }
    const logMean = changeRateLogRatio[b] / changeRate[b];
    const error = slack * Math.max(1, Math.abs(logMean));
    if (logMean >= Math.log(low) - error && logMean <= Math.log(high) + error && logMean <= Math.log(mean) + error)
      continue;
    const message = `must be between ${Math.log(low)} and ${Math.log(mean)} times the bucket's changeRate; it is ${logMean} times`;
    refuse(at('changeRateLogRatio'), 'out-of-range', message, changeRateLogRatio[b]);
  }
}

type Buckets = Pick<Table<typeof bucketColumns>, 'form' | 'length' | 'columns'>;

export const missingColumn = new Float64Array(0);
/** Of a request that has none. */
export const noBuckets = {
  form: 'rows',
  length: 0,
  columns: {
    pages: missingColumn,
    changeRate: missingColumn,
    weight: missingColumn,
    changeRateLogRatio: missingColumn,
    weightTimesRate: missingColumn,
    ratioMin: missingColumn,
    ratioMax: missingColumn,
    host: [],
  },
} as const;
