export type { ChangeSignalsProblem, Estimate, SignalFit } from './problem.ts';
export { solveChangeSignals } from './solve.ts';
