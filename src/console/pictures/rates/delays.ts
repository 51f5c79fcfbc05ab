/** Host limits: the delay each host bears with its interval, and how many of its requests were refused. */

import { cells, column, numberAt } from '../../api/read.ts';
import { extent, ink, Plot } from '../frame/chart.ts';
import type { Pictures } from '../frame/picture.ts';
import { type Whisker, whiskers } from '../frame/whiskers.ts';

const maxHosts = 40;

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
  const requests = column(hosts, 'requests');
  if (!requests.some(Number.isFinite)) return [];
  const positiveDelays = delays
    .flatMap(({ value, next, low, high }) => [value, next, low, high])
    .filter((each) => each > 0);
  const [minimum, maximum] = extent(positiveDelays, true);
  const domain: [number, number] = [minimum / 1.5, maximum * 1.5];
  return [
    {
      id: 'delays',
      title: 'The delay each host bears, with its interval',
      note: 'An interval at the edge goes on, to 0 or without an end.',
      keys: [
        { label: 'least delay', color: ink.blue, shape: 'dot' },
        { label: 'interval', color: ink.blue, shape: 'band' },
        { label: 'to try next', color: ink.orange, shape: 'cross' },
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
  ];
};
