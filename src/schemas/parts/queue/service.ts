/** Service and expiry times in requests: a distribution, or the rate of an exponential one. */
import * as z from 'zod';
import type { Distribution } from '../../../solvers/laws/index.ts';
import { rate } from '../../contract/field.ts';
import { real } from '../../contract/range.ts';
import { distribution, exponential, phaseTypeDistribution } from '../distribution.ts';

type ExponentialLaw = z.output<typeof exponential>;

/** Rates outside this range are assumed to be in the wrong unit. */
const exponentialRate = real({ atLeast: 1e-100, atMost: 1e100 })
  .transform((perTime): ExponentialLaw => ({ type: 'exponential', rate: perTime }))
  .meta({ title: 'rate', ...rate('Its rate: exponential times') });

/** Time to index a page: any distribution with a finite mean. */
export const anyService: z.ZodType<Distribution, z.input<typeof distribution> | number> = z
  .union([exponentialRate, distribution])
  .describe('Time to index a page: a law, or an exponential rate');

/** Exponential time to index a page: the distribution or its rate. */
export const exponentialOrRate = z
  .union([exponentialRate, exponential])
  .describe('Time to index a page: an exponential law, or its rate');

/** A distribution with a phase-type form, or the rate of an exponential one. */
export const phaseTypeOrRate = (description: string) =>
  z.union([exponentialRate, phaseTypeDistribution]).describe(description);
