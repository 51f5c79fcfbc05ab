/** Request and answer of `threshold-policy`. */
export {
  thresholdPolicyBeside,
  thresholdPolicyConflict,
  thresholdPolicySentence,
  thresholdPolicySolution,
} from './answer.ts';
export { thresholdPolicyRequest } from './request.ts';
