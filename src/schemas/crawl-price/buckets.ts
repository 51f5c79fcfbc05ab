/** The histogram of a request: its columns, and what the sums of a bucket must have in common. */
import type { ObjectiveName } from '../../solvers/pages/objectives/index.ts';
import { id, number, pageCount, rate, weight } from '../contract/field.ts';
import type { Refuse } from '../contract/refusals.ts';
import { numberColumn, textColumn } from '../table/column.ts';
import type { Columns, Table } from '../table/table.ts';

const ratios = { atLeast: 1e-100, atMost: 1e100 } as const;

export const bucketColumns = {
  pages: numberColumn(pageCount('How many pages'), { atLeast: 1, atMost: 1e15 }),
  changeRate: numberColumn(rate('Sum of the change rates λ'), { above: 0, atMost: 1e100 }),
  weight: numberColumn(weight('Sum of the weights w'), { above: 0, atMost: 1e200 }),
  changeRateLogRatio: numberColumn(rate('Sum of λ·ln(ratio)'), { atLeast: -1e200, atMost: 1e200 }),
  ratioMin: numberColumn(number('Least ratio'), ratios),
  ratioMax: numberColumn(number('Largest ratio'), ratios),
  weightTimesRate: numberColumn(weight('Sum of weight·λ, for meanDelay'), { above: 0, atMost: 1e300, optional: true }),
  host: textColumn(id('Host of the pages'), { optional: true }),
};

/** By bucket: the sum of what the objective's measure is a mean by, weights or weights times rates. */
export function scalesOf(
  { form, length, columns }: Pick<Table<Columns>, 'form' | 'length'> & BucketColumns,
  objective: ObjectiveName,
  refuse: Refuse,
): Float64Array {
  const { pages, changeRate, weight, weightTimesRate } = columns;
  if (objective !== 'delay') return weight;
  for (let b = 0; b < length; b++) {
    if (weightTimesRate[b] > 0 || pages[b] === 1) continue;
    const path = form === 'rows' ? ['buckets', b, 'weightTimesRate'] : ['buckets', 'weightTimesRate', b];
    const message = `is needed for meanDelay, as the bucket has ${pages[b]} pages: SUM(weight * change rate) of them`;
    refuse(path, 'column-missing', message, undefined);
    break;
  }
  return weightTimesRate.map((sum, b) => (sum > 0 ? sum : weight[b] * changeRate[b]));
}

/** What the sums of a bucket must have in common, to within the rounding of sums over very many pages. */
export function checkBuckets(
  { form, length, columns }: Pick<Table<Columns>, 'form' | 'length'> & BucketColumns,
  refuse: Refuse,
): void {
  const slack = 1e-7;
  const { changeRate, weight, changeRateLogRatio, weightTimesRate, ratioMin, ratioMax } = columns;
  for (let b = 0; b < length; b++) {
    const at = (name: string): (string | number)[] => (form === 'rows' ? ['buckets', b, name] : ['buckets', name, b]);
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

interface BucketColumns {
  readonly columns: Readonly<Record<Exclude<keyof typeof bucketColumns, 'host'>, Float64Array>>;
}

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
