export { coin, type Probe, probeOf, uniform } from './coin.ts';
export { probesNeeded } from './probes-needed.ts';
export type { AnytimeEstimate, Arm, FreshnessAnswer, FreshnessProblem, Trial, Verdict } from './problem.ts';
export { solveFreshness } from './solve.ts';
