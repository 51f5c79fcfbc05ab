import {
  maxBatch,
  maxCapacity,
  maxCrawlerPhases,
  maxPhasedStates,
  maxStates,
  mostCrawlers,
} from '../../solvers/activation-policy/index.ts';
import { maxSweepValues } from '../parts/series/sweep.ts';

/** What `GET /v1/limits` publishes. */
export const activationLimits = {
  maxCapacity,
  maxCrawlers: mostCrawlers(1),
  maxStates,
  maxPhasedStates,
  crawlerPhases: maxCrawlerPhases,
  batchPages: maxBatch,
  sweepValues: maxSweepValues,
};
