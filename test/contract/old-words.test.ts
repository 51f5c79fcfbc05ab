/** Every word of the contract before this one, or of another operation, is refused: the refusal says what to write. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { invalidRequest } from '../../src/schemas/contract/problem.ts';

const page = { crawlPlan: 'crawl-plan' } as const;

/** Operation, example, where the word stood, the word, what stood there, and what the refusal says. */
const words: readonly (readonly [string, string, string, string, unknown, string])[] = [
  ...['crawler-count', 'activation-policy'].flatMap((name) => {
    const example = name === 'crawler-count' ? 'crawler-count-figure-1.2' : 'activation-policy-figure-1.6';
    return [
      [name, example, '', 'starvationWeight', 1, 'costs.starvation'],
      [name, example, '', 'crawlerCost', 0.1, 'costs.crawler'],
      [name, example, '', name === 'crawler-count' ? 'indexing' : 'indexingRate', 1, 'service'],
    ] as const;
  }),
  ['crawler-count', 'crawler-count-figure-1.2', '', 'maxCrawlers', 9, 'crawlers'],
  ['crawler-count', 'crawler-count-figure-1.2', '', 'curve', { from: 1, to: 3 }, 'evaluate'],
  ['activation-policy', 'activation-policy-figure-1.6', '', 'targets', [1, 1], 'evaluate.targets'],
  ['activation-policy', 'activation-policy-figure-1.6', '', 'algorithm', 'policy-iteration', 'is gone'],
  ['activation-policy', 'activation-policy-figure-1.6', '', 'tolerance', 1e-6, 'is gone'],
  ['activation-policy', 'activation-policy-figure-1.6', '', 'relaxation', 0.5, 'is gone'],
  ['threshold-policy', 'threshold-policy-paper', '', 'policy', { thresholds: [1] }, 'evaluate'],
  ['threshold-policy', 'threshold-policy-paper', '', 'search', 'local', 'options.search'],
  ['threshold-policy', 'threshold-policy-paper', '', 'quantiles', [0.9], 'measures.response.quantiles'],
  ['threshold-policy', 'threshold-policy-paper', '', 'times', [1], 'measures.response.times'],
  ['threshold-policy', 'threshold-policy-paper', '', 'transformAt', [1], 'measures.response.transformAt'],
  ['threshold-policy', 'threshold-policy-paper', '', 'repairDiagonal', true, 'is gone'],
  ['simulations/queue', 'simulations-queue-activation', '', 'indexingRate', 1, 'service'],
  ['simulations/queue', 'simulations-queue-activation', '', 'targets', [1, 1], 'evaluate.targets'],
  ['simulations/queue', 'simulations-queue-activation', '', 'horizon', 100, 'duration'],
  ['simulations/queue', 'simulations-queue-paper', '', 'policy', { thresholds: [1] }, 'evaluate'],
  ['access-sequence', 'access-sequence', '', 'fibonacciIndex', 10, 'cycleLength'],
  ['access-frequencies', 'access-frequencies-target', '/target', 'meanDelay', 2, 'crawl-allocation and crawl-plan'],
  ['access-frequencies', 'access-frequencies-target', '/target', 'meanAge', 2, 'with objective age'],
  ['access-frequencies', 'access-frequencies-target', '/target', 'harmonic', 2, 'with objective harmonic'],
  ['crawl-plan', page.crawlPlan, '', 'horizon', 'interval', 'planFor'],
  ['crawl-plan', page.crawlPlan, '', 'floor', 0.1, 'evenShare'],
  ['crawl-plan', page.crawlPlan, '', 'budget', 60, 'spending'],
  ...['estimator', 'groups', 'bursts', 'exploration', 'rhythm', 'peak'].map(
    (gone) => ['crawl-plan', page.crawlPlan, '', gone, true, 'is gone'] as const,
  ),
  ['crawl-plan', page.crawlPlan, '/pages/0', 'costIfChanged', 2, 'cost.changed'],
  ['crawl-plan', page.crawlPlan, '/pages/0', 'windowItems', 10, 'feed.items'],
  ['crawl-plan', page.crawlPlan, '/pages/0', 'lossProbability', 0.1, 'feed.loss'],
  ['crawl-plan', page.crawlPlan, '/pages/0', 'precision', 0.9, 'stands at hosts'],
  ['crawl-plan', page.crawlPlan, '/pages/0', 'recall', 0.9, 'stands at hosts'],
  ['crawl-plan', page.crawlPlan, '/pages/0', 'group', 'a', 'is gone'],
];

function withWord(value: unknown, [step, ...rest]: readonly string[], word: string, stood: unknown): unknown {
  if (step === undefined) return { ...Object(value), [word]: stood };
  if (Array.isArray(value)) return value.with(Number(step), withWord(value[Number(step)], rest, word, stood));
  return { ...Object(value), [step]: withWord(Object(value)[step], rest, word, stood) };
}

describe('an old word', () => {
  it.each(['crawl-allocation', 'crawl-schedule'])('of %s: Poisson updates are refused for changeRate', (name) => {
    const operation = operations.find((each) => each.name === name);
    const request = (pages: unknown) => operation?.check({ interval: 1, crawls: 2, crawlers: [{ slots: 2 }], pages });
    const rows = request([{ updates: { type: 'poisson', rate: 1 } }]);
    const columns = request({ process: 'poisson', rate: [1] });
    for (const checked of [rows, columns]) {
      if (checked?.ok !== false) throw new Error('Poisson updates were accepted');
      const { errors = [] } = invalidRequest(checked.issues);
      expect(errors.map(({ detail }) => detail).join()).toContain('changeRate');
    }
  });

  it.each(words)('of %s (%s%s): %s is refused with what takes its place', (name, example, at, word, stood, says) => {
    const operation = operations.find((each) => each.name === name);
    const request: unknown = JSON.parse(readFileSync(`examples/${example}.json`, 'utf8'));
    const checked = operation?.check(withWord(request, at.split('/').slice(1), word, stood));
    if (checked?.ok !== false) throw new Error(`${word} was accepted`);
    const { errors = [] } = invalidRequest(checked.issues);
    const told = errors.find(({ pointer }) => pointer === `${at}/${word}`);
    expect(told?.detail).toMatch(new RegExp(`^unknown property [^;]*; (?!allowed)[^;]*${says.replaceAll('.', '\\.')}`));
  });
});
