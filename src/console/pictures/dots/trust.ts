/**
 * Change signals: precision against recall of each host with their intervals, and how often signals and changes come.
 */

import { figure } from '../../../words/numbers.ts';
import { at, list, number, text } from '../../api/read.ts';
import { bars } from '../frame/bars.ts';
import { chart, ink, Plot } from '../frame/chart.ts';
import type { Pictures } from '../frame/picture.ts';

const mostHosts = 40;
/** So many hosts have their names beside them. */
const mostNamed = 12;

interface Trust {
  readonly host: string;
  readonly precision: number;
  readonly recall: number;
  readonly lowPrecision: number;
  readonly highPrecision: number;
  readonly lowRecall: number;
  readonly highRecall: number;
}

const nameOf = (host: unknown): string => text(host, 'host') || 'no host';

export const trustInSignals: Pictures = ({ answer }) => {
  const hosts = list(answer.solution, 'hosts')
    .filter((host) => at(host, 'precision') !== undefined)
    .slice(0, mostHosts);
  if (hosts.length === 0) return [];
  const trust = hosts.map((host) => ({
    host: nameOf(host),
    precision: number(host, 'precision', 'value'),
    recall: number(host, 'recall', 'value'),
    lowPrecision: number(host, 'precision', 'interval', 0),
    highPrecision: number(host, 'precision', 'interval', 1),
    lowRecall: number(host, 'recall', 'interval', 0),
    highRecall: number(host, 'recall', 'interval', 1),
  }));
  const line = { stroke: ink.blue, strokeOpacity: 0.35, strokeWidth: 3 };
  return [
    {
      id: 'trust',
      title: 'How far the signals of each host can be trusted',
      keys: [
        { label: 'estimate', color: ink.blue, shape: 'dot' },
        { label: 'interval', color: ink.blue, shape: 'band' },
      ],
      draw: (width) =>
        chart(width, {
          x: { label: 'recall: share of changes that are signalled', domain: [0, 1] },
          y: { label: 'precision: share of signals that are right', domain: [0, 1] },
          marks: [
            Plot.ruleX(trust, { x: 'recall', y1: 'lowPrecision', y2: 'highPrecision', ...line }),
            Plot.ruleY(trust, { y: 'precision', x1: 'lowRecall', x2: 'highRecall', ...line }),
            Plot.dot(trust, {
              x: 'recall',
              y: 'precision',
              fill: ink.blue,
              r: 4.5,
              title: (each: Trust) =>
                `${each.host}\n${figure(each.precision, 2)} right, ${figure(each.recall, 2)} told of`,
              tip: true,
            }),
            ...(trust.length > mostNamed
              ? []
              : [
                  Plot.text(trust, {
                    x: 'recall',
                    y: 'precision',
                    text: 'host',
                    textAnchor: 'middle',
                    dy: -12,
                    fill: ink.text,
                    stroke: ink.surface,
                    strokeWidth: 3,
                  }),
                ]),
          ],
        }),
    },
    {
      id: 'signal-rates',
      title: 'Signals and changes, a page and time unit',
      draw: (width) =>
        bars(
          width,
          hosts.slice(0, mostHosts / 2).flatMap((host) => [
            { label: `${nameOf(host)}, signals`, value: number(host, 'signalRate', 'value'), color: ink.orange },
            { label: `${nameOf(host)}, changes`, value: number(host, 'changeRate', 'value'), color: ink.blue },
          ]),
          'a page and time unit',
        ),
    },
  ];
};
