/** Measured freshness: of all copies, by arm and by host, with intervals; and the difference of the arms. */
import { at, list, number, text } from '../../api/read.ts';
import { ink } from '../frame/chart.ts';
import type { Pictures } from '../frame/picture.ts';
import { type Whisker, whiskers } from '../frame/whiskers.ts';

const mostHosts = 30;

function whisker(name: string, of: unknown): Whisker[] {
  const value = number(of, 'value');
  return Number.isFinite(value)
    ? [{ name, value, low: number(of, 'interval', 0), high: number(of, 'interval', 1) }]
    : [];
}

export const measuredFreshness: Pictures = ({ answer }) => {
  const { freshness, byArm, byHost, difference } = answer.solution ?? {};
  const all = whisker('all copies', freshness);
  if (all.length === 0) return [];
  const hosts = list(byHost).slice(0, mostHosts);
  const shares = [
    ...all,
    ...whisker('under the plan', at(byArm, 'plan')),
    ...whisker('under the incumbent', at(byArm, 'incumbent')),
    ...hosts.flatMap((host) => whisker(text(host, 'host'), host)),
  ];
  const gain = whisker('plan less incumbent', difference);
  const reach = Math.max(0.01, ...gain.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)]));
  const keys = [
    { label: 'share of current copies', color: ink.blue, shape: 'dot' as const },
    { label: 'interval that holds at any time', color: ink.blue, shape: 'band' as const },
  ];
  return [
    {
      id: 'freshness',
      title: 'Freshness, with intervals that hold at any time',
      keys,
      draw: (width) => whiskers(width, shares, { domain: [0, 1], label: 'share of current copies', linear: true }),
    },
    ...(gain.length === 0
      ? []
      : [
          {
            id: 'difference',
            title: 'What the plan gains',
            note: 'Right of 0 the plan keeps the copies fresher; a verdict is there once the interval leaves 0 out.',
            draw: (width: number) =>
              whiskers(width, gain, { domain: [-reach, reach], label: 'difference of the freshness', linear: true }),
          },
        ]),
  ];
};
