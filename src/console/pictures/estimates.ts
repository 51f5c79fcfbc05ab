/** Charts of estimates with their intervals: rates of pages, delays of hosts, freshness, quality of signals. */
import { day } from '../../schemas/words/durations.ts';
import { figure } from '../../schemas/words/numbers.ts';
import { columnValues, listAt, numberAt, numericColumn, textAt, valueAt } from '../api/read.ts';
import {
  chart,
  extent,
  logAxis,
  Plot,
  palette,
  shortenText,
  tickPixels,
  verticalRule,
  widenDomain,
} from './frame/chart.ts';
import { rowName } from './frame/names.ts';
import type { Picture, Pictures } from './frame/picture.ts';

/** A named estimate with its interval. */
interface Whisker {
  readonly name: string;
  readonly value: number;
  /** Lower end of the interval; at or below 0 the bar runs to the edge of a logarithmic axis. */
  readonly low: number;
  /** Upper end of the interval; where it is not finite the bar runs to the edge. */
  readonly high: number;
}

/**
 * Draws the estimates in the order given: on a logarithmic axis over the domain, without one on a linear axis of shares.
 * `extra` marks have the position of a row as their y.
 */
function whiskers(
  width: number,
  rows: readonly Whisker[],
  label: string,
  domain?: readonly [number, number],
  extra: readonly Plot.Markish[] = [],
): Element {
  // bars without a finite end are clipped at the edges
  const [minimum, maximum] = domain ?? [0, 1];
  const drawnRows = rows.map((each) => ({
    ...each,
    low: domain === undefined || each.low > 0 ? each.low : minimum,
    high: domain === undefined || Number.isFinite(each.high) ? each.high : maximum,
  }));
  const positions = drawnRows.map((_, i) => i);
  const longest = Math.max(0, ...drawnRows.map(({ name }) => name.length));
  const marginLeft = Math.min(width * 0.42, 22 + 6.8 * longest);
  const maxCharacters = Math.floor((marginLeft - 18) / 6.8);
  const rowHeight = drawnRows.length > 8 ? 22 : 30;
  return chart(width, {
    height: 76 + rowHeight * drawnRows.length,
    marginLeft,
    grid: false,
    x: {
      ...(domain ? logAxis(domain, label, (width - marginLeft) / tickPixels) : { domain: [0, 1], label }),
      grid: true,
    },
    y: {
      label: null,
      type: 'band',
      domain: positions,
      tickFormat: (i: number) => shortenText(drawnRows[i].name, maxCharacters),
      tickSize: 0,
    },
    marks: [
      Plot.ruleY(positions, {
        x1: (i: number) => drawnRows[i].low,
        x2: (i: number) => drawnRows[i].high,
        y: (i: number) => i,
        stroke: palette.blue,
        strokeOpacity: 0.35,
        strokeWidth: 6,
      }),
      ...extra,
      Plot.dot(positions, {
        x: (i: number) => drawnRows[i].value,
        y: (i: number) => i,
        fill: palette.blue,
        r: 4.5,
        title: (i: number) =>
          `${rows[i].name}\n${figure(rows[i].value)} (${figure(rows[i].low)} to ${figure(rows[i].high)})`,
        tip: true,
      }),
    ],
  });
}

/** The estimate as a list of one row; empty where it has no value. */
function estimateOf(name: string, of: unknown): Whisker[] {
  const value = numberAt(of, 'value');
  return Number.isFinite(value)
    ? [{ name, value, low: numberAt(of, 'interval', 0), high: numberAt(of, 'interval', 1) }]
    : [];
}

/** Note below a logarithmic axis with intervals that reach 0 or have no end. */
const edgeNote = 'An interval at the edge goes on, to 0 or without an end.';

/** Maximum number of pages in the chart; the table has all of them. */
const maxPages = 24;

/** The estimated rates of the pages of an answer, with their intervals. */
export const estimatedRates: Pictures = ({ request, answer }) => {
  const table = valueAt(answer.solution, 'pages');
  const isPlan = columnValues(table, 'changeRateInterval').some(Array.isArray);
  if (!isPlan && !columnValues(table, 'interval').some(Array.isArray)) return [];
  const scale = isPlan ? day : 1;
  const rate = numericColumn(table, isPlan ? 'changeRate' : 'rate').map((each) => scale * each);
  const interval = columnValues(table, isPlan ? 'changeRateInterval' : 'interval');
  const rows = Array.from(rate.keys())
    .sort((a, b) => rate[b] - rate[a])
    .slice(0, maxPages)
    .map((page) => ({
      name: rowName(request.pages, page),
      value: rate[page],
      low: scale * numberAt(interval[page], 0),
      high: scale * numberAt(interval[page], 1),
    }));
  const domain = widenDomain(extent(rows.flatMap(({ value, low, high }) => [value, low, high])), 1.4);
  const prior = valueAt(answer.solution, 'prior');
  const mean = numberAt(prior, 'shape') / numberAt(prior, 'rate');
  return [
    {
      id: 'rates',
      title: `Estimated rates with their intervals${rows.length < rate.length ? `, the ${maxPages} fastest of ${figure(rate.length)}` : ''}`,
      isWide: true,
      ...(rows.some(({ low, high }) => !(low > 0) || !Number.isFinite(high)) && {
        note: edgeNote,
      }),
      keys: [
        { label: 'estimate', color: palette.blue, shape: 'dot' },
        { label: 'interval', color: palette.blue, shape: 'band' },
      ],
      draw: (width) =>
        whiskers(
          width,
          rows,
          isPlan ? 'changes per day' : 'changes per time unit',
          domain,
          Number.isFinite(mean) ? verticalRule(mean, `prior mean ${figure(mean)}`, palette.violet) : [],
        ),
    },
  ];
};

const maxHosts = 40;

interface Delay extends Whisker {
  /** The delay to try next. */
  readonly next: number;
}

/** The hosts with a delay, the longest first. */
function delaysOf(hosts: unknown): Delay[] {
  const names = columnValues(hosts, 'host');
  const delay = numericColumn(hosts, 'minDelay');
  const next = numericColumn(hosts, 'nextDelay');
  const interval = columnValues(hosts, 'interval');
  return Array.from(delay.keys())
    .filter((h) => Number.isFinite(delay[h]))
    .sort((a, b) => delay[b] - delay[a])
    .slice(0, maxHosts)
    .map((h) => ({
      name: String(names[h]),
      value: delay[h],
      next: next[h],
      low: numberAt(interval[h], 0),
      high: numberAt(interval[h], 1),
    }));
}

export const hostDelays: Pictures = ({ answer }) => {
  const hosts = answer.solution?.hosts;
  const delays = delaysOf(hosts);
  const requests = numericColumn(hosts, 'requests');
  if (!requests.some(Number.isFinite)) return [];
  const domain = widenDomain(extent(delays.flatMap(({ value, next, low, high }) => [value, next, low, high])), 1.5);
  return [
    {
      id: 'delays',
      title: 'The delay each host bears, with its interval',
      note: edgeNote,
      keys: [
        { label: 'least delay', color: palette.blue, shape: 'dot' },
        { label: 'interval', color: palette.blue, shape: 'band' },
        { label: 'to try next', color: palette.orange, shape: 'cross' },
      ],
      draw: (width) =>
        whiskers(width, delays, 'seconds between two requests', domain, [
          Plot.text(delays, {
            x: 'next',
            y: (_: Delay, i: number) => i,
            text: () => '×',
            fill: palette.orange,
            fontSize: 18,
          }),
        ]),
    },
  ];
};

const maxFreshnessHosts = 30;

export const measuredFreshness: Pictures = ({ answer }) => {
  const { freshness, byHost } = answer.solution ?? {};
  const overallShare = estimateOf('all copies', freshness);
  if (overallShare.length === 0) return [];
  const shares = [
    ...overallShare,
    ...listAt(byHost)
      .slice(0, maxFreshnessHosts)
      .flatMap((host) => estimateOf(textAt(host, 'host'), host)),
  ];
  const keys = [
    { label: 'share of current copies', color: palette.blue, shape: 'dot' as const },
    { label: 'interval that holds at any time', color: palette.blue, shape: 'band' as const },
  ];
  return [
    {
      id: 'freshness',
      title: 'Freshness, with intervals that hold at any time',
      keys,
      draw: (width) => whiskers(width, shares, 'share of current copies'),
    },
  ];
};

const maxSignalHosts = 40;

export const signalQuality: Pictures = ({ answer }) => {
  const hosts = listAt(answer.solution, 'hosts')
    .filter((host) => valueAt(host, 'precision') !== undefined)
    .slice(0, maxSignalHosts);
  const picture = (id: string, title: string): Picture => ({
    id,
    title,
    draw: (width) =>
      whiskers(
        width,
        hosts.flatMap((host) => estimateOf(textAt(host, 'host') || 'no host', valueAt(host, id))),
        id,
      ),
  });
  return hosts.length === 0
    ? []
    : [
        picture('precision', 'Precision: share of signals that are right'),
        picture('recall', 'Recall: share of changes that are signalled'),
      ];
};
