import { maxCapacity, maxStates, mostCrawlers } from '../../solvers/activation-policy/index.ts';
import { maxSweepValues } from '../parts/series/sweep.ts';

export const activationLimits = { maxCapacity, maxCrawlers: mostCrawlers(1), maxStates, sweepValues: maxSweepValues };
