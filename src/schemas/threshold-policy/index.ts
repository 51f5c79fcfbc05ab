/** Request and answer of `threshold-policy`. */
export { thresholdPolicyBeside, thresholdPolicyConflict, thresholdPolicySolution } from './answer.ts';
export { thresholdPolicyRequest } from './request.ts';
export { thresholdPolicySentence } from './sentence.ts';
