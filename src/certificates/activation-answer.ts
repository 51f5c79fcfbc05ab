/**
 * Checks an answer of activation-policy as the contract has it. With single pages and exponential times to index, the
 * policy and the best number of always active crawlers are measured in the certificate's own chain; with phases,
 * batches or correlated arrivals it looks at the sum of the costs alone.
 */
import {
  activationBeside,
  activationConflict,
  activationRequest,
  activationSolution,
} from '../schemas/activation-policy/index.ts';
import { answerSchema } from '../schemas/contract/answer.ts';
import { inContract } from './contract-form.ts';
import { type NaiveAverages, naiveAverages } from './queue/naive-chain.ts';
import type { WireObject } from './wire.ts';

const answered = answerSchema(activationSolution, activationBeside, activationConflict);

/** Numbers of a band of the chain up to which averages are computed again. */
const mostBandEntries = 2e5;
const tolerance = 1e-8;

const close = (a: number, b: number): boolean =>
  Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b)) + 1e-12;

/** What is wrong with an answer; empty where nothing is. */
export function verifyActivationPolicy(request: WireObject, answer: WireObject): string[] {
  const { capacity, crawlerRate, arrivals, batchSizes, service, costs } = inContract(
    activationRequest,
    request,
    'the request',
  );
  const { solution, evaluation, objective, baseline, mixture } = inContract(answered, answer, 'the answer');
  const policy = solution ?? evaluation;
  if (policy === undefined || objective === undefined) return [];
  const { targets, crawlers, activeCrawlers: active } = policy;
  const priced = (starvation: number, loss: number, mean: number): number =>
    costs.starvation * starvation + costs.loss * loss + costs.crawler * mean;
  const faults: string[] = [];
  const sum = priced(policy.starvationProbability, policy.lossRate, active.mean);
  if (!close(sum, objective.value)) faults.push(`the costs sum to ${sum}, not ${objective.value}`);
  if (!(active.min <= active.mean * (1 + tolerance) && active.mean <= active.max * (1 + tolerance))) {
    faults.push(`${active.mean} crawlers on average are not between ${active.min} and ${active.max}`);
  }
  if (targets.length !== capacity + 1) return [...faults, `there are ${targets.length} targets, not ${capacity + 1}`];
  const wrong = targets.findIndex((target, q) => target > crawlers || target < (q === 0 ? 1 : 0));
  if (wrong >= 0) return [...faults, `the target at ${wrong} is ${targets[wrong]}, of ${crawlers} crawlers`];
  const simple = crawlerRate !== undefined && arrivals === undefined && batchSizes === undefined;
  if (!simple || service.type !== 'exponential') return faults;
  const queue = { capacity, crawlerRate, indexingRate: service.rate };
  const fits = (count: number): boolean =>
    (capacity + 1) * (count + 1) * (2 * Math.min(capacity, count) + 3) <= mostBandEntries;
  const costOf = (found: NaiveAverages): number =>
    priced(found.starvationProbability, found.lossRate, found.meanActive);
  if (fits(crawlers) && mixture === undefined) {
    const classes = naiveAverages(queue, crawlers, targets).sort((a, b) => costOf(b) - costOf(a));
    faults.push(...differences(policy, classes[0]));
    const several = evaluation?.recurrentClasses.length;
    if (several !== undefined && several !== classes.length)
      faults.push(`there are ${classes.length} recurrent classes, not ${several}`);
  }
  if (fits(baseline.crawlers)) {
    const always = new Array<number>(capacity + 1).fill(baseline.crawlers);
    const cost = costOf(naiveAverages(queue, baseline.crawlers, always)[0]);
    if (!close(cost, baseline.cost))
      faults.push(`${baseline.crawlers} crawlers always active cost ${cost}, not ${baseline.cost}`);
  }
  return faults;
}

interface Told {
  readonly starvationProbability: number;
  readonly lossRate: number;
  readonly meanQueueLength: number;
  readonly activeCrawlers: { readonly min: number; readonly mean: number; readonly max: number };
}

function differences(
  { starvationProbability, lossRate, meanQueueLength, activeCrawlers }: Told,
  again: NaiveAverages,
): string[] {
  const pairs: readonly (readonly [string, number, number])[] = [
    ['starvationProbability', starvationProbability, again.starvationProbability],
    ['lossRate', lossRate, again.lossRate],
    ['meanQueueLength', meanQueueLength, again.meanQueueLength],
    ['activeCrawlers.min', activeCrawlers.min, again.minActive],
    ['activeCrawlers.mean', activeCrawlers.mean, again.meanActive],
    ['activeCrawlers.max', activeCrawlers.max, again.maxActive],
  ];
  return pairs.flatMap(([name, told, found]) => (close(told, found) ? [] : [`${name} is ${found}, not ${told}`]));
}
