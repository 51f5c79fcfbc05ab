/** Checks an answer of threshold-policy as the contract has it: the policy's by its certificate, those of a sweep too. */
import * as z from 'zod';
import { objectiveSchema, statusSchema } from '../schemas/contract/answer.ts';
import {
  thresholdPolicyBeside,
  thresholdPolicyRequest,
  thresholdPolicySolution,
} from '../schemas/threshold-policy/index.ts';
import { inContract } from './contract-form.ts';
import { pointsIn } from './queue/front-faults.ts';
import { certifyThresholdPolicy } from './threshold-policy.ts';
import type { WireObject } from './wire.ts';

const answered = z.object({
  status: statusSchema,
  objective: objectiveSchema.optional(),
  solution: thresholdPolicySolution.optional(),
  ...z.object(thresholdPolicyBeside).partial().shape,
  conflict: z.unknown().optional(),
});

export function verifyThresholdPolicy(request: WireObject, answer: WireObject): string[] {
  const problem = inContract(thresholdPolicyRequest, request, 'the request');
  const { front, ...told } = inContract(answered, answer, 'the answer');
  const points = front && pointsIn(front).map((point, i) => ({ ...point, policy: front[i].policy }));
  return certifyThresholdPolicy(problem, { ...told, front: points });
}
