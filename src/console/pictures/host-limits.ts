/** Host limits: the delay each host bears with its interval, and how many of its requests were refused. */
import { figure } from '../format.ts';
import { bars, ink, Plot } from './chart.ts';
import { extent } from './dots.ts';
import type { Illustrator } from './picture.ts';
import { cells, column, number } from './read.ts';
import { type Whisker, whiskers } from './whiskers.ts';

const mostHosts = 40;

interface Delay extends Whisker {
  /** The delay to try next. */
  readonly next: number;
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
    .map((h) => ({
      name: String(names[h]),
      value: delay[h],
      next: next[h],
      low: number(interval[h], 0),
      high: number(interval[h], 1),
    }));
}

export const hostLimits: Illustrator = {
  pictures({ answer }) {
    const hosts = answer.solution?.hosts;
    const delays = delaysOf(hosts);
    const seen = delays.flatMap(({ value, next, low, high }) => [value, next, low, high]).filter((each) => each > 0);
    const [least, most] = extent(seen, true);
    const domain: [number, number] = [least / 1.5, most * 1.5];
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
          whiskers(width, delays, { domain, label: 'seconds between two requests' }, [
            Plot.text(delays, {
              x: 'next',
              y: (_: Delay, i: number) => i,
              text: () => '×',
              fill: ink.orange,
              fontSize: 18,
            }),
          ]),
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
