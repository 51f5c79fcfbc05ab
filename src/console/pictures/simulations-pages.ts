/** simulations/pages: every measure with its interval. */
import { figure } from '../format.ts';
import { chart, ink, Plot } from './chart.ts';
import type { Answered, Illustrator, Picture } from './picture.ts';
import { at, number } from './read.ts';

const titles: Readonly<Record<string, string>> = {
  freshness: 'fresh (share of time)',
  staleness: 'stale (share of time)',
  embarrassment: 'Σ weight × stale share',
  age: 'age of the copy',
  delay: 'delay of a change',
  fetches: 'fetches',
  changes: 'changes',
  changesSeen: 'fetches that saw a change',
};

interface Measure {
  readonly title: string;
  readonly mean: number;
  readonly half: number;
}

function measuresOf({ answer }: Answered): Measure[] {
  return Object.entries(Object(at(answer.solution, 'measures'))).flatMap(([name, measure]): Measure[] => {
    const mean = number(measure, 'mean');
    if (!Number.isFinite(mean)) return [];
    const half = (number(measure, 'interval', 1) - number(measure, 'interval', 0)) / 2;
    return [{ title: titles[name] ?? name, mean, half }];
  });
}

function measuresPicture(measures: readonly Measure[]): Picture {
  const rows = measures.map((each) => {
    const relative = each.mean === 0 ? 0 : each.half / Math.abs(each.mean);
    return { ...each, from: -relative, to: relative };
  });
  const reach = Math.max(1e-6, ...rows.map(({ to }) => to)) * 1.15;
  return {
    id: 'measures',
    title: 'Simulated measures with their 95% intervals',
    wide: true,
    keys: [{ label: '95% interval', color: ink.blue, shape: 'line' }],
    note: 'Each row is scaled by its own mean.',
    draw: (width) =>
      chart(width, {
        height: 66 + 26 * rows.length,
        marginLeft: 168,
        marginRight: Math.min(180, width * 0.3),
        marginTop: 12,
        x: { label: 'distance from the simulated mean (%)', domain: [-100 * reach, 100 * reach], ticks: 5 },
        y: { label: null, domain: rows.map(({ title }) => title) },
        marks: [
          Plot.ruleX([0], { stroke: ink.faint }),
          Plot.ruleY(rows, {
            y: 'title',
            x1: ({ from }) => 100 * from,
            x2: ({ to }) => 100 * to,
            stroke: ink.blue,
            strokeWidth: 4,
            strokeOpacity: 0.45,
          }),
          Plot.dot(rows, { y: 'title', x: 0, fill: ink.blue, r: 4.5 }),
          Plot.text(rows, {
            y: 'title',
            frameAnchor: 'right',
            textAnchor: 'start',
            dx: 10,
            fill: ink.text,
            text: ({ mean, half }) => `${figure(mean)} ± ${figure(half, 2)}`,
          }),
        ],
      }),
  };
}

export const simulationsPages: Illustrator = {
  pictures: (answered) => (answered.answer.solution ? [measuresPicture(measuresOf(answered))] : []),
  headline: ({ request }) => [
    ['horizon', figure(number(request, 'horizon'))],
    ['replications', figure(number(request, 'replications'))],
  ],
};
