/**
 * Checks an answer under limits, from the request as it stands. It measures the policies of a mixture in its own chain.
 * Then it checks their shares, the limits, the prices, and the one decision left to chance.
 *
 * At the prices of the limits every policy of the mixture costs the same, priced excesses included. This is
 * complementary slackness of the linear program over policies (Altman 1999, chapter 3).
 */

import type { ActivationConstraints, ActivationLimit } from '../../solvers/activation-policy/limits/limits.ts';
import { close } from '../faults.ts';
import { type AskedActivation, type CheckedActivation, costOf } from './checked-activation.ts';
import { type ControlledQueue, type NaiveAverages, naiveAverages } from './naive-chain.ts';

const averaged = ['lossRate', 'starvationProbability', 'meanActive', 'meanQueueLength'] as const;
const compared = [...averaged, 'minActive', 'maxActive'] as const;
type Averages = Pick<NaiveAverages, (typeof averaged)[number]>;
type Compared = Partial<Pick<NaiveAverages, (typeof compared)[number]>>;

/** By how much of a limit it may be exceeded. */
const keptTolerance = 1e-8;
/** Rounding of averages, and of what is nearly nothing. */
const tolerance = 1e-8;
const nothing = 1e-12;
/** Policies of a mixture cost the same at its prices to this share of the cost. */
const priceTolerance = 1e-6;

export const isMixed = ({ mixture }: CheckedActivation): boolean => mixture !== undefined && mixture.length > 1;

/** The limits that the averages of the answer exceed, one sentence each. */
export function limitFaults(
  { constraints }: AskedActivation,
  { crawlerRate }: ControlledQueue,
  { classes }: CheckedActivation,
): string[] {
  return limitsOf(constraints).flatMap(([name, limit]) => {
    const measure = measured(name, classes[0], crawlerRate);
    return measure <= limit * (1 + keptTolerance) ? [] : [`${name} is ${measure}, above its limit ${limit}`];
  });
}

/** What is wrong with a mixture, one sentence each. O(policies·N·K·min(N, K)²). */
export function mixtureFaults(asked: AskedActivation, queue: ControlledQueue, answer: CheckedActivation): string[] {
  const { mixture = [], classes, mixedDecision, dualPrices = {} } = answer;
  const { crawlers, targets } = answer.policy;
  const faults: string[] = [];
  const shares = mixture.reduce((sum, { share }) => sum + share, 0);
  if (!close(shares, 1, 1e-12) || mixture.some(({ share }) => !(share > 0))) {
    faults.push(`the shares ${mixture.map(({ share }) => share).join(', ')} are no mixture`);
  }
  const policies = mixture.map((one) => naiveAverages(queue, crawlers, one.targets));
  const several = policies.findIndex((found) => found.length !== 1);
  if (several >= 0) return [...faults, `policy ${several} of the mixture has ${policies[several].length} classes`];
  for (const [i, [found]] of policies.entries()) {
    faults.push(...differences(`policy ${i} of the mixture`, mixture[i], found));
    const cost = costOf(asked, found);
    if (!close(mixture[i].cost, cost, tolerance, nothing)) faults.push(`policy ${i} of the mixture costs ${cost}`);
  }
  const mean = (name: keyof Averages): number =>
    mixture.reduce((sum, { share }, i) => sum + share * policies[i][0][name], 0);
  const mixed = {
    ...Object.fromEntries(averaged.map((name) => [name, mean(name)])),
    minActive: Math.min(...policies.map(([{ minActive }]) => minActive)),
    maxActive: Math.max(...policies.map(([{ maxActive }]) => maxActive)),
  };
  faults.push(...differences('the mixture', classes[0], mixed));
  if (mixedDecision !== undefined) {
    const [{ minActive: _, maxActive: __, ...drawn }, ...more] = naiveAverages(queue, crawlers, targets, mixedDecision);
    if (more.length > 0) faults.push('the policy with a decision left to chance has several classes');
    faults.push(...differences('the policy with a decision left to chance', classes[0], drawn));
  }
  const priced = (averages: Averages): number => {
    return limitsOf(asked.constraints).reduce(
      (sum, [name, limit]) => {
        return sum + (dualPrices[name] ?? 0) * excess(name, limit, averages, queue.crawlerRate, classes[0]);
      },
      costOf(asked, averages),
    );
  };
  for (const [i, [found]] of policies.entries()) {
    const cost = priced(found);
    if (!close(cost, answer.value, priceTolerance, nothing)) {
      faults.push(`policy ${i} of the mixture costs ${cost} at the prices of the limits, not ${answer.value}`);
    }
  }
  return faults;
}

/** What is not stated, or not found, is not compared. */
function differences(whose: string, stated: Compared, found: Compared): string[] {
  return compared
    .filter((name) => {
      const [one, other] = [stated[name], found[name]];
      return one !== undefined && other !== undefined && !close(one, other, tolerance, nothing);
    })
    .map((name) => `${whose}: ${name} is stated as ${stated[name]} and found to be ${found[name]}`);
}

const limitNames = [
  'lossRate',
  'lossProbability',
  'starvationProbability',
  'activeCrawlers',
  'meanQueueLength',
] as const;

const limitsOf = (constraints: ActivationConstraints = {}): [ActivationLimit, number][] =>
  limitNames.flatMap((name): [ActivationLimit, number][] => {
    const limit = constraints[name];
    return limit === undefined ? [] : [[name, limit]];
  });

function measured(name: ActivationLimit, averages: Averages, crawlerRate: number): number {
  if (name === 'activeCrawlers') return averages.meanActive;
  if (name === 'lossProbability') return averages.lossRate / (crawlerRate * averages.meanActive);
  return averages[name];
}

/** Of a share of losses: as pages, over the pages of the mixture, which makes it linear. */
function excess(
  name: ActivationLimit,
  limit: number,
  averages: Averages,
  crawlerRate: number,
  whole: Averages,
): number {
  if (name !== 'lossProbability') return measured(name, averages, crawlerRate) - limit;
  return (averages.lossRate - limit * crawlerRate * averages.meanActive) / (crawlerRate * whole.meanActive);
}
