/** Measured freshness, of all copies and by host, with intervals. */
import { at, list, number, text } from '../../api/read.ts';
import { ink } from '../frame/chart.ts';
import type { Picture, Pictures } from '../frame/picture.ts';
import { type Whisker, whiskers } from '../frame/whiskers.ts';

const maxFreshnessHosts = 30;

function whisker(name: string, of: unknown): Whisker[] {
  const value = number(of, 'value');
  return Number.isFinite(value)
    ? [{ name, value, low: number(of, 'interval', 0), high: number(of, 'interval', 1) }]
    : [];
}

export const measuredFreshness: Pictures = ({ answer }) => {
  const { freshness, byHost } = answer.solution ?? {};
  const overallShare = whisker('all copies', freshness);
  if (overallShare.length === 0) return [];
  const shares = [
    ...overallShare,
    ...list(byHost)
      .slice(0, maxFreshnessHosts)
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

const maxSignalHosts = 40;

export const trustInSignals: Pictures = ({ answer }) => {
  const hosts = list(answer.solution, 'hosts')
    .filter((host) => at(host, 'precision') !== undefined)
    .slice(0, maxSignalHosts);
  const picture = (id: string, title: string): Picture => ({
    id,
    title,
    draw: (width) =>
      whiskers(
        width,
        hosts.map((host) => ({
          name: text(host, 'host') || 'no host',
          value: number(host, id, 'value'),
          low: number(host, id, 'interval', 0),
          high: number(host, id, 'interval', 1),
        })),
        { domain: [0, 1], label: id, linear: true },
      ),
  });
  return hosts.length === 0
    ? []
    : [
        picture('precision', 'Precision: share of signals that are right'),
        picture('recall', 'Recall: share of changes that are signalled'),
      ];
};
