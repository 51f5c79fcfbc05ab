/** Controlled chains with average cost: elimination, evaluation, policy iteration, lower bound. */
export { ChainBuilder, type ControlledChain, type Policy } from './chain.ts';
export { recurrentClasses } from './classes.ts';
export { BandedRates, EliminatedChain } from './elimination.ts';
export { type AllowedOptions, ChainSolver, lowerBound, type Weights, weightCosts } from './policy-iteration.ts';
