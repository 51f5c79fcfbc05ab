/** activation-policy: the switching curve beside the best fixed count, and what it is where phases are seen. */
import { figure } from '../../../schemas/words/numbers.ts';
import type { Exchange } from '../../api/answer.ts';
import { numberAt, numbersAt } from '../../api/read.ts';
import { chart, ink, level, Plot, wholeTick, wholeTicks } from '../frame/chart.ts';
import type { Picture, Pictures } from '../frame/picture.ts';

function switchingCurve({ answer }: Exchange): Picture {
  const targets = numbersAt(answer.solution, 'targets');
  const steps = targets.map((target, q) => ({ x1: q - 0.5, x2: q + 0.5, target, q }));
  const edges = steps.flatMap(({ x1, x2, target }) => [
    { x: x1, y: target - 0.5 },
    { x: x2, y: target - 0.5 },
  ]);
  const fixedCount = numberAt(answer, 'baseline', 'crawlers');
  const rule =
    'After an arrival or a departure, look up the new queue length and the crawlers still active: below the curve, activate one more.';
  return {
    id: 'switching-curve',
    title: 'When to activate one more crawler',
    wide: true,
    keys: [
      { label: 'activate', color: ink.green, shape: 'band' },
      { label: 'switching curve', color: ink.green, shape: 'line' },
      { label: `best fixed count (${figure(fixedCount)})`, color: ink.orange, shape: 'dash' },
    ],
    note: rule,
    draw: (width) =>
      chart(width, {
        height: Math.min(420, Math.max(260, width * 0.42)),
        x: {
          label: 'queue length after the event (pages)',
          domain: [-0.5, targets.length - 0.5],
          ticks: wholeTicks(0, targets.length - 1),
        },
        y: {
          label: 'active crawlers',
          tickFormat: wholeTick,
          domain: [-0.5, Math.max(...targets, fixedCount || 0) + 1],
        },
        marks: [
          Plot.rect(steps, {
            x1: 'x1',
            x2: 'x2',
            y1: -0.5,
            y2: (step) => step.target - 0.5,
            fill: ink.green,
            fillOpacity: 0.13,
            className: 'activate',
          }),
          Plot.line(edges, { x: 'x', y: 'y', stroke: ink.green, strokeWidth: 2 }),
          ...(Number.isFinite(fixedCount)
            ? level(fixedCount, `best fixed count: ${figure(fixedCount)}`, ink.orange)
            : []),
        ],
        opacity: { type: 'identity' },
      }),
  };
}

/** The switching curve. */
export const switchingPictures: Pictures = (exchange) =>
  numbersAt(exchange.answer.solution, 'targets').length === 0 ? [] : [switchingCurve(exchange)];
