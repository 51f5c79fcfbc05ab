/** Host limits: the delay each host bears with its interval, and how many of its requests were refused. */
import { figure } from '../format.ts';
import { bars, chart, ink, logAxis, Plot, wholeTicks } from './chart.ts';
import { extent } from './dots.ts';
import type { Illustrator } from './picture.ts';
import { cells, column, number } from './read.ts';

const mostHosts = 40;

interface Delay {
  readonly rank: number;
  readonly host: string;
  readonly delay: number;
  readonly next: number;
  readonly low: number;
  readonly high: number;
}

/** The hosts with a delay, the longest first. */
function delaysOf(hosts: unknown): Delay[] {
  const names = cells(hosts, 'host');
  const delay = column(hosts, 'minDelay');
  const next = column(hosts, 'nextDelay');
  const interval = cells(hosts, 'interval');
  return Array.from(delay.keys())
    .filter((h) => Number.isFinite(delay[h]))
    .sort((a, b) => delay[b] - delay[a])
    .slice(0, mostHosts)
    .map((h, rank) => ({
      rank,
      host: String(names[h]),
      delay: delay[h],
      next: next[h],
      low: number(interval[h], 0),
      high: number(interval[h], 1),
    }));
}

export const hostLimits: Illustrator = {
  pictures({ answer }) {
    const hosts = answer.solution?.hosts;
    const delays = delaysOf(hosts);
    const seen = delays.flatMap(({ delay, next, low, high }) => [delay, next, low, high]).filter((each) => each > 0);
    const [least, most] = extent(seen, true);
    const domain: [number, number] = [least / 1.5, most * 1.5];
    const shown = delays.map((each) => ({
      ...each,
      low: each.low > 0 ? each.low : domain[0],
      high: Number.isFinite(each.high) ? each.high : domain[1],
    }));
    const names = cells(hosts, 'host');
    const requests = column(hosts, 'requests');
    const refusals = column(hosts, 'refusals');
    const order = Array.from(requests.keys())
      .sort((a, b) => refusals[b] - refusals[a] || requests[b] - requests[a])
      .slice(0, mostHosts / 2);
    return [
      {
        id: 'delays',
        title: 'The delay each host bears, with its interval',
        note: 'The cross is the delay to try next. An interval without an upper end runs to the edge.',
        keys: [
          { label: 'least delay', color: ink.blue, shape: 'dot' },
          { label: 'interval', color: ink.blue, shape: 'band' },
          { label: 'to try next', color: ink.orange, shape: 'line' },
        ],
        draw: (width) =>
          chart(width, {
            x: {
              label: 'hosts, the longest delay first',
              domain: [-0.5, Math.max(0.5, shown.length - 0.5)],
              ticks: wholeTicks(0, shown.length - 1, 8),
            },
            y: logAxis(domain, 'seconds between two requests'),
            marks: [
              Plot.ruleX(shown, {
                x: 'rank',
                y1: 'low',
                y2: 'high',
                stroke: ink.blue,
                strokeOpacity: 0.35,
                strokeWidth: 6,
              }),
              Plot.text(shown, { x: 'rank', y: 'next', text: () => '×', fill: ink.orange, fontSize: 18 }),
              Plot.dot(shown, {
                x: 'rank',
                y: 'delay',
                fill: ink.blue,
                r: 4.5,
                title: (each: Delay) => `${each.host}\n${figure(each.delay)} s`,
                tip: true,
              }),
            ],
          }),
      },
      {
        id: 'requests',
        title: 'Requests, and how many of them were refused',
        draw: (width) =>
          bars(
            width,
            order.flatMap((h) => [
              { label: `${String(names[h])}, all`, value: requests[h], color: ink.grey },
              { label: `${String(names[h])}, refused`, value: refusals[h], color: ink.red },
            ]),
            'requests in the log',
          ),
      },
    ];
  },
  headline: ({ answer }) => {
    const hosts = answer.solution?.hosts;
    const sum = (name: string): string => figure(column(hosts, name).reduce((a, b) => a + b, 0));
    return [
      ['hosts', figure(column(hosts, 'minDelay').length)],
      ['requests', sum('requests')],
      ['refused', sum('refusals')],
    ];
  },
};
