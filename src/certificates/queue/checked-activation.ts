/** What is checked of an activation policy: the request and the answer as the contract has them. */
import * as z from 'zod';
import { activationBeside, type activationRequest, activationSolution } from '../../schemas/activation-policy/index.ts';
import type { NaiveAverages } from './naive-chain.ts';

export type AskedActivation = z.output<typeof activationRequest>;

export const toldActivation = z.object({
  solution: activationSolution.optional(),
  ...z.object(activationBeside).partial().shape,
});

export type PricedClass = NaiveAverages & { readonly cost: number };

export interface CheckedActivation extends z.output<typeof toldActivation> {
  readonly status: string;
  /** The solution, or the caller's own policy. */
  readonly policy: z.output<typeof activationSolution>;
  readonly value: number;
  readonly bound: number | null;
  /** The most expensive first. */
  readonly classes: readonly [PricedClass, ...PricedClass[]];
}

export const costOf = (
  { costs }: Pick<AskedActivation, 'costs'>,
  of: Pick<NaiveAverages, 'starvationProbability' | 'lossRate' | 'meanActive'>,
): number => costs.starvation * of.starvationProbability + costs.loss * of.lossRate + costs.crawler * of.meanActive;
