/**
 * Change signals: precision against recall of each host with their intervals, and how often signals and changes come.
 */
import { figure } from '../format.ts';
import { bars, chart, ink, Plot } from './chart.ts';
import type { Illustrator } from './picture.ts';
import { list, number, text } from './read.ts';

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

export const changeSignals: Illustrator = {
  pictures({ answer }) {
    const hosts = list(answer.solution, 'hosts').slice(0, mostHosts);
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
        id: 'rates',
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
  },
  headline: ({ answer: { solution } }) => [
    ['precision', figure(number(solution, 'overall', 'precision', 'value'), 3)],
    ['recall', figure(number(solution, 'overall', 'recall', 'value'), 3)],
    ['checks', figure(number(solution, 'overall', 'checks'))],
    ['signals', figure(number(solution, 'overall', 'signals'))],
  ],
};
