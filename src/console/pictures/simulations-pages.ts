/** simulations/pages: every measure with its interval. */
import { figure } from '../format.ts';
import { type Measure, measuresPicture } from './measures.ts';
import type { Answered, Illustrator } from './picture.ts';
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

function measuresOf({ answer }: Answered): Measure[] {
  return Object.entries(Object(at(answer.solution, 'measures'))).flatMap(([name, measure]): Measure[] => {
    const mean = number(measure, 'mean');
    if (!Number.isFinite(mean)) return [];
    const [low, high] = [number(measure, 'interval', 0), number(measure, 'interval', 1)];
    return [{ title: titles[name] ?? name, mean, low, high, exact: Number.NaN }];
  });
}

export const simulationsPages: Illustrator = {
  pictures: (answered) => (answered.answer.solution ? [measuresPicture(measuresOf(answered), 'mean')] : []),
  headline: ({ request }) => [
    ['horizon', figure(number(request, 'horizon'))],
    ['replications', figure(number(request, 'replications'))],
  ],
};
