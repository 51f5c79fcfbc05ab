/** The objective by the number of crawls, with the answer marked: the first picture of every operation on pages. */
import { duration, figure, share } from '../../../schemas/words/numbers.ts';
import type { Exchange } from '../../api/answer.ts';
import type { JsonObject } from '../../api/json.ts';
import { listAt, numberAt } from '../../api/read.ts';
import { chart, Plot, palette } from '../frame/chart.ts';
import type { FollowUp, Pictures } from '../frame/picture.ts';

export const crawlsCurveName = 'bought-by-crawls';

/** Measures that a curve may have: property, axis label and legend. */
const measures = [
  ['freshness', 'freshness', 'share of the time with a current copy'],
  ['staleness', 'staleness', 'share of the time with a stale copy'],
  ['meanDelay', 'mean delay', 'time that a change waits, in the mean'],
  ['harmonic', 'harmonic staleness', 'harmonic staleness, in the mean'],
] as const;

const operations: readonly string[] = ['crawl-plan', 'crawl-allocation', 'access-frequencies', 'crawl-price'];
/** A curve is not requested automatically for more pages than this. */
const maxCurvePages = 20_000;

const curveOf = ({ answer, extras }: Exchange): readonly unknown[] => {
  const own = listAt(answer, 'curve');
  return own.length > 0 ? own : listAt(extras.get('bought')?.answer, 'curve');
};

/** The follow-up request for the curve of an answer without one. */
export function crawlsCurveFollowUp(operation: string, { request, answer }: Exchange): FollowUp[] {
  const { sweep: _, pages, feedback, ...rest } = request;
  const hasManyPages = Array.isArray(pages) && pages.length > maxCurvePages;
  if (!operations.includes(operation) || hasManyPages || feedback !== undefined) return [];
  if (answer.solution === undefined || listAt(answer, 'curve').length > 0) return [];
  return [{ key: 'bought', operation, request: { ...rest, ...(pages !== undefined && { pages }), curve: true } }];
}

export const crawlsCurve: Pictures = (exchange) => {
  const curve = curveOf(exchange);
  const measure = measures.find(([name]) => Number.isFinite(numberAt(curve[0], name)));
  if (measure === undefined || curve.length < 2) return [];
  const [name, title, label] = measure;
  const points = curve.map((point) => ({
    crawls: numberAt(point, 'crawls'),
    value: numberAt(point, name),
    price: numberAt(point, 'price'),
  }));
  const { request, answer } = exchange;
  // Only plans have a `now`; their times are seconds.
  const seconds = name.startsWith('mean') && Number.isFinite(numberAt(request, 'now'));
  const isShare = !name.startsWith('mean') && name !== 'harmonic';
  const measureText = (value: number): string =>
    isShare ? share(value, 3) : seconds ? duration(value) : figure(value);
  const own = [numberAt(answer.solution, 'crawls'), numberAt(request, 'crawls'), numberAt(request, 'rate')];
  const maxCrawls = Math.max(...points.map(({ crawls }) => crawls));
  // A request may ask for more crawls than can be made; the curve then ends before them.
  const ownCrawls = own.find((crawls) => crawls <= maxCrawls);
  const marks = ownCrawls === undefined ? [] : [Plot.ruleX([ownCrawls], { stroke: palette.orange, strokeWidth: 1.5 })];
  return [
    {
      id: crawlsCurveName,
      title: 'What crawls buy',
      keys: [
        { label, color: palette.blue, shape: 'line' },
        ...(ownCrawls === undefined
          ? []
          : [{ label: `the answer: ${figure(ownCrawls)}`, color: palette.orange, shape: 'line' as const }]),
      ],
      draw: (width) =>
        chart(width, {
          x: { label: 'crawls', domain: [0, maxCrawls], tickSpacing: 110 },
          y: {
            label: title,
            tickFormat: measureText,
            domain: [0, Math.max(...points.map(({ value }) => value), name === 'freshness' ? 1 : 0)],
          },
          marks: [
            Plot.line(points, { x: 'crawls', y: 'value', stroke: palette.blue, strokeWidth: 1.75 }),
            Plot.dot(points, {
              x: 'crawls',
              y: 'value',
              r: 2.5,
              fill: palette.blue,
              title: ({ crawls, value, price }) =>
                `${figure(crawls)} crawls: ${measureText(value)}; one more makes ${figure(price)}`,
            }),
            ...marks,
          ],
        }),
    },
  ];
};

/** The number of the request that is the x axis of the curve; undefined for a request with a target. */
export const crawlsParameter = (request: JsonObject): string | undefined =>
  ['crawls', 'rate'].find((name) => Number.isFinite(numberAt(request, name)));
