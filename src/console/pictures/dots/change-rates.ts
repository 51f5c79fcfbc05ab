/** Change rates of the pages of a request, from whichever field it gives: rates, laws, or times of possible updates. */
import { createLaw, type Distribution, type Law } from '../../../solvers/laws/index.ts';
import { columnValues, numberAt, numbersAt, numericColumn, valueAt } from '../../api/read.ts';

/** The law in a field of a request or an answer; undefined if the field has no law. */
export function lawOf(distribution: unknown): Law | undefined {
  try {
    // the field may hold anything: an unknown type gives undefined
    return createLaw(distribution as Distribution);
  } catch {
    return undefined;
  }
}

/** Changes per unit of time under a law of the times between two of them; NaN where it has no finite mean. */
export function rateOfLaw(law: unknown): number {
  return 1 / (lawOf(law)?.mean ?? Number.NaN);
}

const parameters = ['rate', 'shape', 'scale', 'mu', 'sigma', 'value'];
const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

/** Changes per unit of time of each page, as the answer estimates them or as the request gives them. */
export function changeRates(request: unknown, answerPages: unknown): Float64Array {
  const estimatedRates = numericColumn(answerPages, 'changeRate');
  if (estimatedRates.some(Number.isFinite)) return estimatedRates;
  const pages = valueAt(request, 'pages');
  const interval = numberAt(request, 'interval');
  const requestRates = numericColumn(pages, 'changeRate');
  const updates = columnValues(pages, 'updates');
  const process = columnValues(pages, 'process');
  const possible = columnValues(pages, 'probabilities');
  const columns = parameters.map((name) => [name, columnValues(pages, name)] as const);
  const columnRate = (type: string, row: number): number => {
    const law = Object.fromEntries([['type', type], ...columns.map(([name, values]) => [name, values[row]])]);
    if (type === 'quasi-deterministic') return sum(numbersAt(possible[row])) / interval;
    return rateOfLaw(law);
  };
  return requestRates.map((rate, row) => {
    if (Number.isFinite(rate)) return rate;
    const type = valueAt(updates[row], 'type');
    if (type === 'quasi-deterministic') return sum(numbersAt(updates[row], 'probabilities')) / interval;
    if (type === 'renewal') return rateOfLaw(valueAt(updates[row], 'distribution'));
    const processName = process[row];
    return typeof processName === 'string' ? columnRate(processName, row) : Number.NaN;
  });
}
