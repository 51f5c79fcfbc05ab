export type { ChangeSignalsAnswer, ChangeSignalsProblem, Estimate, SignalFit } from './problem.ts';
export { solveChangeSignals } from './solve.ts';
