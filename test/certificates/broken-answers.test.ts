/** Answers with one number that is not right: the certificate of each operation says so. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { verify } from '../../src/certificates/verify.ts';
import { isObject } from '../../src/certificates/wire.ts';
import { crawlPlan } from '../../src/index.ts';

const folder = new URL('../../examples/', import.meta.url);
const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));

/** A copy in which the number at a path is a little larger, and a count is one more. */
function broken(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) {
    if (typeof value !== 'number') throw new Error(`${JSON.stringify(value)} is no number`);
    return Number.isInteger(value) ? value + 1 : value * 1.001;
  }
  if (Array.isArray(value)) return value.with(Number(step), broken(value[Number(step)], rest));
  if (!isObject(value)) throw new Error(`nothing is at ${step}`);
  return { ...value, [step]: broken(value[step], rest) };
}

const numbers: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'crawler-count': {
    'crawler-count-figure-1.2': [
      'solution/offeredLoad',
      'solution/meanQueueLength',
      'solution/throughput',
      'solution/continuous/crawlers',
      'solution/criticalStarvationCost',
    ],
    'crawler-count-table-1.1': ['evaluation/0/cost', 'evaluation/0/meanQueueLength'],
    'crawler-count-figure-1.4': ['sweep/1/objective/value', 'sweep/1/solution/lossRate'],
  },
  'activation-policy': {
    'activation-policy-figure-1.6': [
      'solution/crawlers',
      'solution/activeCrawlers/maxActivating',
      'solution/switchingCurve/afterDeparture/3',
      'baseline/cost',
      'relativeImprovement',
    ],
    'activation-policy-evaluate': ['evaluation/lossRate', 'evaluation/recurrentClasses/0/meanQueueLength'],
    'activation-policy-limits': [
      'mixture/0/share',
      'mixture/1/cost',
      'mixture/0/lossRate',
      'mixedDecision/probability',
      'solution/activeCrawlers/mean',
      'solution/activeCrawlers/min',
      'solution/activeCrawlers/max',
    ],
    'activation-policy-front': ['front/3/criteria/loss', 'front/3/policy/targets/1'],
    'activation-policy-bursts': ['solution/starvationProbability', 'fullInformation/relativeImprovement'],
  },
  'threshold-policy': {
    'threshold-policy-paper': [
      'fixedModes/1/cost',
      'fixedModes/1/measures/responseTime',
      'relativeProfit',
      'fullInformation/relativeImprovement',
    ],
    'threshold-policy-figure-1': ['sweep/1/evaluation/measures/queueLength'],
    'threshold-policy-phases-limits': ['mixture/0/cost', 'mixture/0/measures/lossProbability'],
    'threshold-policy-phases': ['solution/crawlersByState/phases/0/0', 'byQueueLength/crawlersByQueueLength/2'],
  },
  'estimates/service-time': {
    'service-time-sample': ['solution/observed/variance', 'solution/fitted/scv', 'solution/fitted/mean'],
  },
  'crawl-plan': {
    'crawl-plan': ['longRun/value', 'longRun/gap'],
    'crawl-plan-columns': ['solution/pages/fetchInterval/0'],
    'crawl-plan-feeds': ['solution/pages/0/meanDelay'],
    'crawl-plan-signals': ['solution/pages/0/staleness', 'solution/pages/4/staleness', 'objective/value'],
  },
};

const cases = Object.entries(numbers).flatMap(([operation, examples]) =>
  Object.entries(examples).flatMap(([name, paths]) => paths.map((path) => ({ operation, name, path }))),
);

describe('a certificate', () => {
  it.each(cases)('of $operation sees that $path of $name is not right', ({ operation, name, path }) => {
    const [request, answer] = [read(`${name}.json`), read(`${name}.answer.json`)];
    expect(verify(operation, request, broken(answer, path.split('/')))).not.toEqual([]);
  });
});

describe('the certificate of crawl-plan', () => {
  it.each(['delay', 'harmonic'] as const)('computes again how stale signals leave copies under %s', (objective) => {
    const request = { ...Object(read('crawl-plan-signals.json')), objective };
    const answer = crawlPlan(request);
    expect(answer.solution?.pages).toHaveLength(7);
    expect(verify('crawl-plan', request, answer)).toEqual([]);
  });

  it('sees a slot that is used twice, and one that is none, where windows close others', () => {
    const [request, answer] = [read('crawl-plan-quiet-hours.json'), read('crawl-plan-quiet-hours.answer.json')];
    const { solution } = Object(answer);
    const [first, second, ...rest] = solution.schedule;
    const withSchedule = (schedule: unknown) => ({ ...Object(answer), solution: { ...solution, schedule } });
    const twice = [first, { ...second, time: first.time, crawler: first.crawler }, ...rest];
    expect(verify('crawl-plan', request, withSchedule(twice)).join()).toContain('is used twice');
    const between = [{ ...first, time: first.time + 0.5 }, second, ...rest];
    expect(verify('crawl-plan', request, withSchedule(between)).join()).toContain('no slot at');
  });
});
