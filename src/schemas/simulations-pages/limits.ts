import { maxReplications } from '../../solvers/simulation/index.ts';
import { maxUpdateTimes } from '../parts/update-process.ts';

export const simulationsPagesLimits = {
  pages: 1_000_000,
  scheduledFetches: 1_000_000,
  sequence: 1_000_000,
  replications: maxReplications,
  updateTimesPerPage: maxUpdateTimes,
  plans: 100_000,
} as const;
