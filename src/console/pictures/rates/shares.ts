/** Measured freshness, of all copies and by host, with intervals. */
import { listAt, numberAt, textAt, valueAt } from '../../api/read.ts';
import { ink } from '../frame/chart.ts';
import type { Picture, Pictures } from '../frame/picture.ts';
import { type Whisker, whiskers } from '../frame/whiskers.ts';

const maxFreshnessHosts = 30;

function whisker(name: string, of: unknown): Whisker[] {
  const value = numberAt(of, 'value');
  return Number.isFinite(value)
    ? [{ name, value, low: numberAt(of, 'interval', 0), high: numberAt(of, 'interval', 1) }]
    : [];
}

export const measuredFreshness: Pictures = ({ answer }) => {
  const { freshness, byHost } = answer.solution ?? {};
  const overallShare = whisker('all copies', freshness);
  if (overallShare.length === 0) return [];
  const shares = [
    ...overallShare,
    ...listAt(byHost)
      .slice(0, maxFreshnessHosts)
      .flatMap((host) => whisker(textAt(host, 'host'), host)),
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
        hosts.map((host) => ({
          name: textAt(host, 'host') || 'no host',
          value: numberAt(host, id, 'value'),
          low: numberAt(host, id, 'interval', 0),
          high: numberAt(host, id, 'interval', 1),
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
