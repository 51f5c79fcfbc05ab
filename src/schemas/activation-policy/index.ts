/** Request and answer of `activation-policy`. */
export { activationBeside, activationConflict, activationSentence, activationSolution } from './answer.ts';
export { activationLimits } from './limits.ts';
export { activationRequest } from './request.ts';
