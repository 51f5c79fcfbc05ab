/** What the columns of answers are called, what they are in, and how a cell of them is written. */
import { figure, percent, seconds } from '../format.ts';
import { dateTime } from './dates.ts';

export interface ColumnKind {
  readonly label: string;
  readonly unit: string;
  readonly text: (value: number) => string;
}

const perDay = 86_400;

/** `crawlerRate` → `crawler rate`. */
const spelled = (name: string): string =>
  name.replaceAll(/([a-z0-9])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);

const share = (label: string): ColumnKind => ({ label, unit: 'share of time', text: (value) => percent(value) });
const duration = (label: string): ColumnKind => ({ label, unit: '', text: seconds });
const plain = (label: string, unit = ''): ColumnKind => ({ label, unit, text: (value) => figure(value) });

/** Columns whose unit does not depend on the request. */
const shares: Readonly<Record<string, string>> = {
  staleness: 'staleness',
  uniformStaleness: 'under uniform',
  freshness: 'freshness',
  utilisation: 'utilisation',
};

/** Columns of requests that speak in epoch seconds. */
const clocked: Readonly<Record<string, ColumnKind>> = {
  changeRate: { label: 'changes', unit: 'per day', text: (value) => figure(value * perDay, 3) },
  changeRateInterval: { label: 'changes, interval', unit: 'per day', text: (value) => figure(value * perDay, 3) },
  nextFetch: { label: 'next fetch', unit: 'local time', text: (value) => dateTime(value) },
  fetchInterval: duration('every'),
  intervalIfUnchanged: duration('every, if unchanged'),
  intervalIfChanged: duration('every, if changed'),
};

/** How a column is shown; `isClock` where times are epoch seconds. */
export function describeColumn(name: string, isClock = true): ColumnKind {
  if (name in shares) return share(shares[name]);
  if (isClock && name in clocked) return clocked[name];
  if (name === 'crawls') return plain('fetches');
  return plain(spelled(name));
}

/** The columns people look for first; the others follow in the order of the answer. */
const firstColumns = ['changeRate', 'rate', 'crawls', 'frequency', 'fetchInterval', 'nextFetch', 'staleness'];

/** The place of a column among the others. */
export const columnPlace = (name: string): number =>
  firstColumns.includes(name) ? firstColumns.indexOf(name) : firstColumns.length;
