/**
 * How soon does a plan that begins with an empty log catch up with one that has a log, on a trace?
 * `node bench/replay/from-empty-on-trace.ts TRACE [--rate 0.0297] [--from 2023-01-01] [--to 2026-08-01]`
 *
 * The log is emptied at six moments evenly from a year after the trace's beginning to eight months before its end;
 * plans last ten days. For each month after it says how much fresher the plan with the log keeps the pages, in the mean
 * over pages and moments. The standard error is of a bootstrap over hosts. Beside it stands the plan without and with
 * `exploration`.
 */
import { parseArgs } from 'node:util';
import { learningCurve } from './learning-curve.ts';
import { pageHistories, readTrace } from './page-history.ts';
import { day } from './replay.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rate: { type: 'string', default: '0.0297' },
    from: { type: 'string', default: '2023-01-01' },
    to: { type: 'string', default: '2026-08-01' },
  },
});
const [path] = positionals;
if (path === undefined) {
  console.error('usage: node bench/replay/from-empty-on-trace.ts TRACE [--rate 0.0297] [--from DATE] [--to DATE]');
  process.exit(2);
}
const [from, to] = [values.from, values.to].map((date) => Date.parse(`${date}T00:00:00Z`) / 1000);
const [window, windows, moments, warmUp] = [30, 8, 6, 365];
const room = Math.floor((to - from) / day) - warmUp - window * windows;
const starts = Array.from(
  { length: moments },
  (_, k) => from + day * (warmUp + Math.floor((k * room) / (moments - 1))),
);
const pages = pageHistories(readTrace(path), from, to);
console.log(`${pages.length} pages, ${values.rate} fetches a page and day: behind a plan with a log, by months`);
const crawlRate = Number(values.rate);
const curve = learningCurve({ pages, from, starts, window, windows, crawlRate, planDays: 10 });
const shown = curve.map(({ mean, error }) => `${mean.toFixed(4)} ± ${error.toFixed(4)}`).join('  ');
const reached = curve.findIndex(({ mean }) => mean <= 0.002);
console.log(`${shown}  ${reached < 0 ? 'not within .002' : `within .002 in month ${reached + 1}`}`);
