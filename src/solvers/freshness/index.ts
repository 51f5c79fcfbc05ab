export type { AnytimeEstimate, FreshnessAnswer, FreshnessProblem } from './problem.ts';
export { solveFreshness } from './solve.ts';
