/** simulations/queue: every measure with its interval, and the exact value where the model has one. */
import { figure } from '../format.ts';
import { type Measure, measuresPicture } from './measures.ts';
import type { Answered, FollowUp, Illustrator } from './picture.ts';
import { at, number } from './read.ts';

const titles: Readonly<Record<string, string>> = {
  arrivalRate: 'pages per time unit',
  lossProbability: 'pages lost (share)',
  obsolescenceProbability: 'pages expired (share)',
  successProbability: 'pages indexed (share)',
  starvationProbability: 'time empty (share)',
  activeCrawlers: 'active crawlers',
  queueLength: 'pages in the system',
  meanQueueLength: 'pages in the system',
  responseTime: 'response time',
  obsoleteSojournTime: 'time of expired pages',
  sojournTime: 'time of all pages',
  lossRate: 'pages lost per time unit',
};

function measuresOf({ answer, extras }: Answered): Measure[] {
  const exact = extras.get('exact')?.answer.solution;
  const measures = at(answer.solution, 'measures');
  return Object.entries(Object(measures)).flatMap(([name, measure]): Measure[] => {
    const mean = number(measure, 'mean');
    if (!Number.isFinite(mean)) return [];
    const inMeasures = number(exact, 'measures', name);
    const found = Number.isFinite(inMeasures)
      ? inMeasures
      : name === 'activeCrawlers'
        ? number(exact, 'activeCrawlers', 'mean')
        : number(exact, name);
    const [low, high] = [number(measure, 'interval', 0), number(measure, 'interval', 1)];
    return [{ title: titles[name] ?? name, mean, low, high, exact: found }];
  });
}

export const simulationsQueue: Illustrator = {
  followUps(request): FollowUp[] {
    const { horizon: _, replications: __, confidence: ___, ...model } = request;
    if ('targets' in model) {
      const { crawlerRate, indexingRate, capacity, crawlers, targets } = model;
      const asked = { crawlerRate, indexingRate, capacity, crawlers, targets, starvationWeight: 1 };
      return [{ key: 'exact', operation: 'activation-policy', request: asked }];
    }
    const { capacity, arrivals, service, obsolescence, policy } = model;
    const optional = Object.fromEntries(
      ['admission', 'discipline', 'repairDiagonal'].flatMap((name) => (name in model ? [[name, model[name]]] : [])),
    );
    const asked = {
      capacity,
      arrivals,
      service,
      obsolescence: obsolescence ?? null,
      policy,
      costs: { loss: 1 },
      ...optional,
    };
    return [{ key: 'exact', operation: 'threshold-policy', request: asked }];
  },
  pictures: (answered) => (answered.answer.solution ? [measuresPicture(measuresOf(answered), 'interval')] : []),
  headline: ({ request }) => [
    ['horizon', figure(number(request, 'horizon'))],
    ['replications', figure(number(request, 'replications'))],
  ],
};
