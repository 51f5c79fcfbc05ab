/** Controlled chains with average cost: elimination, evaluation, policy iteration, lower bound. */
export { ChainBuilder, type ControlledChain } from './chain.ts';
export { recurrentClasses } from './classes.ts';
export { BandedRates, EliminatedChain, reduceToLikeliest } from './elimination.ts';
export { type AllowedOptions, ChainSolver, type Weights } from './policy-iteration.ts';
