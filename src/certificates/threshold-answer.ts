/** Checks an answer of threshold-policy as the contract has it: the policy's by its certificate, those of a sweep too. */
import { answerSchema } from '../schemas/contract/answer.ts';
import {
  thresholdPolicyBeside,
  thresholdPolicyConflict,
  thresholdPolicyRequest,
  thresholdPolicySolution,
} from '../schemas/threshold-policy/index.ts';
import { inContract } from './contract-form.ts';
import { certifyThresholdPolicy } from './threshold-policy.ts';
import type { WireObject } from './wire.ts';

const answered = answerSchema(thresholdPolicySolution, thresholdPolicyBeside, thresholdPolicyConflict);

/** What is wrong with an answer; empty where nothing is. */
export function verifyThresholdPolicy(request: WireObject, answer: WireObject): string[] {
  const problem = inContract(thresholdPolicyRequest, request, 'the request');
  const { front, ...told } = inContract(answered, answer, 'the answer');
  const points = front?.map(({ weightOfSecond, ...point }) => ({
    ...point,
    ...(weightOfSecond && { weightOfSecond: [Number(weightOfSecond[0]), weightOfSecond[1]] as const }),
  }));
  return certifyThresholdPolicy(problem, { ...told, front: points });
}
