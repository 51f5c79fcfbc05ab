/** Measured freshness, of all copies and by host, with intervals. */
import { list, number, text } from '../../api/read.ts';
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
  const { freshness, byHost } = answer.solution ?? {};
  const all = whisker('all copies', freshness);
  if (all.length === 0) return [];
  const shares = [
    ...all,
    ...list(byHost)
      .slice(0, mostHosts)
      .flatMap((host) => whisker(text(host, 'host'), host)),
  ];
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
  ];
};
