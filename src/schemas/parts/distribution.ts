/**
 * The distributions of the contract: twelve laws of a nonnegative time, selected by `type`, with every condition of the
 * model checked. The result is a `Distribution`, from which solvers/laws creates a law.
 */

import * as z from 'zod';
import { phaseTypeFault } from '../../solvers/laws/families/phase-type-fault.ts';
import { createLaw, type Distribution } from '../../solvers/laws/index.ts';
import { count, type Field, number, plain, probability, rate, time, weight } from '../contract/field.ts';
import { list, squareMatrix } from '../contract/list.ts';
import { chance, integer, real } from '../contract/range.ts';
import { conditions, type Refuse } from '../contract/refusals.ts';
import { strictObject } from '../contract/strict-object.ts';

/** Size limits of a distribution, published with the limits of its operations. */
export const distributionLimits = {
  hyperexponentialBranches: 1000,
  phases: 100,
  empiricalValues: 100_000,
  shape: 1_000_000,
} as const;

const sumTolerance = 1e-9;
const positive = (field: Field) => real({ above: 0 }).meta(field);
const shapeOf = (description?: string) => positive(number(description)).max(distributionLimits.shape);

/** Refuses parameters whose mean is not a positive double. */
function checkMean(law: Distribution, refuse: Refuse): void {
  const { mean } = createLaw(law);
  if (mean > 0 && mean < Infinity) return;
  const message = `has mean ${mean}; a law with a finite, positive mean is needed: change the parameters or the time unit`;
  refuse([], 'mean-not-finite', message, law);
}

/** Whether the values sum to 1; refuses them otherwise. */
function checkSum(values: readonly number[], what: string, refuse: Refuse): boolean {
  const sum = values.reduce((a, b) => a + b, 0);
  if (Math.abs(sum - 1) <= sumTolerance) return true;
  refuse([what], 'sum-not-one', `must sum to 1 (within ${sumTolerance}); they sum to ${sum}`, values);
  return false;
}

const deterministic = strictObject('DeterministicLaw', {
  type: z.literal('deterministic').describe('Always the same time'),
  value: positive(time()),
});

export const exponential = strictObject('ExponentialLaw', {
  type: z.literal('exponential').describe('P(X > t) = exp(−rate·t)'),
  rate: positive(rate('The mean is 1/rate')),
}).check(conditions(checkMean));

const erlang = strictObject('ErlangLaw', {
  type: z.literal('erlang').describe('Sum of `shape` exponential stages: mean shape/rate'),
  shape: integer({ atLeast: 1, atMost: distributionLimits.shape }).meta(count({ unit: 'stages' })),
  rate: positive(rate()),
}).check(conditions(checkMean));

const gamma = strictObject('GammaLaw', {
  type: z.literal('gamma').describe('Density ∝ t^(shape−1)·exp(−rate·t): mean shape/rate'),
  shape: shapeOf(),
  rate: positive(rate('The mean is shape/rate')),
}).check(conditions(checkMean));

const branches = { minItems: 1, maxItems: distributionLimits.hyperexponentialBranches };
const hyperexponential = strictObject('HyperexponentialLaw', {
  type: z.literal('hyperexponential').describe('Mixture of exponential laws'),
  probabilities: list(chance, branches).meta(probability('Probability of each branch; they sum to 1')),
  rates: list(real({ above: 0 }), branches).meta(rate('Rate of each branch')),
}).check(
  conditions((law, refuse) => {
    const { probabilities, rates } = law;
    if (probabilities.length !== rates.length) {
      const message = `must have one rate for each of the ${probabilities.length} probabilities; got ${rates.length}`;
      refuse(['rates'], 'unequal-lengths', message, rates);
    } else if (checkSum(probabilities, 'probabilities', refuse)) checkMean(law, refuse);
  }),
);

const uniform = strictObject('UniformLaw', {
  type: z.literal('uniform').describe('Uniform between min and max'),
  min: real({ atLeast: 0 }).meta(time()),
  max: positive(time('Longest time; more than min')),
}).check(
  conditions(({ min, max }, refuse) => {
    if (min < max) return;
    refuse(
      ['max'],
      'out-of-range',
      `must be more than min (${min}); got ${max}. For a constant use deterministic`,
      max,
    );
  }),
);

const lognormal = strictObject('LognormalLaw', {
  type: z.literal('lognormal').describe('Its logarithm is normal, with mean mu and deviation sigma'),
  mu: z.number().meta(number('Mean of the logarithm of the time')),
  // below this the rounding of μ is a visible fraction of σ
  sigma: real({ atLeast: 1e-6 }).meta(number('Standard deviation of the logarithm')),
}).check(conditions(checkMean));

const weibull = strictObject('WeibullLaw', {
  type: z.literal('weibull').describe('P(X > t) = exp(−(t/scale)^shape)'),
  shape: shapeOf('Below 1: heavier tail than exponential'),
  scale: positive(time()),
}).check(conditions(checkMean));

const tailShape = real({ above: 1, atMost: distributionLimits.shape }).meta(
  number('Exponent of the tail; above 1 for a finite mean'),
);

const pareto = strictObject('ParetoLaw', {
  type: z.literal('pareto').describe('P(X > t) = (scale/t)^shape for t ≥ scale (type I)'),
  shape: tailShape,
  scale: positive(time()),
}).check(conditions(checkMean));

const lomax = strictObject('LomaxLaw', {
  type: z.literal('lomax').describe('P(X > t) = (scale/(scale + t))^shape (Pareto of type II)'),
  shape: tailShape,
  scale: positive(time('Scale; the mean is scale/(shape − 1)')),
}).check(conditions(checkMean));

const phaseType = strictObject('PhaseTypeLaw', {
  type: z
    .literal('phase-type')
    .describe('Time to absorption of a Markov chain; each row of the generator lacks its rate of absorption to 0'),
  initial: list(chance, { minItems: 1, maxItems: distributionLimits.phases }).meta(
    probability('Probability of starting in each phase; they sum to 1'),
  ),
  generator: squareMatrix('SquareMatrix', distributionLimits.phases).meta(rate('Sub-generator: rates between phases')),
}).check(
  conditions((law, refuse) => {
    const fault = phaseTypeFault(law);
    if (fault === null) checkMean(law, refuse);
    else refuse([...fault.path], fault.code, fault.message, fault.value);
  }),
);

const sample = { minItems: 1, maxItems: distributionLimits.empiricalValues };
const empirical = strictObject('EmpiricalLaw', {
  type: z.literal('empirical').describe('One of the given times, as observed'),
  values: list(real({ atLeast: 0 }), sample).meta(time('Not all 0')),
  weights: list(real({ atLeast: 0 }), sample)
    .optional()
    .meta(weight('Weight of each value; left out: all equal')),
}).check(
  conditions((law, refuse) => {
    const { values, weights } = law;
    if (weights !== undefined && weights.length !== values.length) {
      const message = `must have one weight for each of the ${values.length} values; got ${weights.length}`;
      refuse(['weights'], 'unequal-lengths', message, weights);
      return;
    }
    const total = weights?.reduce((a, b) => a + b, 0) ?? 1;
    if (total > 0 && total < Infinity) checkMean(law, refuse);
    else {
      const message = `must have a positive, finite sum; they sum to ${total}`;
      refuse(['weights'], 'sum-not-positive', message, weights);
    }
  }),
);

/** A law of a positive time: any of the twelve. */
export const distribution = z
  .discriminatedUnion('type', [
    deterministic,
    exponential,
    erlang,
    gamma,
    hyperexponential,
    uniform,
    lognormal,
    weibull,
    pareto,
    lomax,
    phaseType,
    empirical,
  ])
  .meta({ id: 'Law', ...plain('Law of a positive time with a finite mean, in the time unit of the request') });

const phaseTypeHint =
  'another law has no phase-type form: POST /v1/estimates/service-time fits one to a sample or to three moments';

/** A law with a phase-type form. */
export const phaseTypeDistribution = z
  .discriminatedUnion('type', [exponential, erlang, gamma, hyperexponential, phaseType], phaseTypeHint)
  .meta({ id: 'LawWithPhases', ...plain(`Law of a positive time with a phase-type form; ${phaseTypeHint}`) })
  .check(
    conditions((law, refuse) => {
      if (law.type === 'gamma' && !Number.isInteger(law.shape)) {
        const message = `must be an integer here, where a phase-type form is needed; got ${law.shape}; ${phaseTypeHint}`;
        refuse(['shape'], 'not-phase-type', message, law.shape);
      }
      const phases = law.type === 'gamma' || law.type === 'erlang' ? law.shape : 'rates' in law ? law.rates.length : 1;
      if (phases > distributionLimits.phases) {
        const message = `must have at most ${distributionLimits.phases} phases here; got ${phases}`;
        refuse([law.type === 'hyperexponential' ? 'rates' : 'shape'], 'too-many-phases', message, phases);
      }
    }),
  );

/** Largest value accepted, so that cubes do not overflow. */
export const largestValue = 1e100;
/** A value that a distribution is fitted to. */
export const fittedValue = real({ above: 0, atMost: largestValue });

/** A distribution in an answer, which requests accept unchanged. */
export const fittedLaw: z.ZodType<Distribution, Distribution> = z.any().meta({
  id: 'FittedLaw',
  type: 'object',
  properties: { type: { type: 'string', description: 'Which law' } },
  required: ['type'],
  additionalProperties: {},
  description: 'The law',
});
