export { solveChangeRates } from './changes/change-rates.ts';
export {
  type CheckHistory,
  changedAtKnownAge,
  changedOutcome,
  unchangedOutcome,
} from './changes/check-history.ts';
export { type FailingPage, type FailingPages, failingPages } from './changes/failing-pages.ts';
export { columnsOf, type FetchColumns, type Observation, sawPage, unknownStatus } from './changes/fetches.ts';
export { checksFromFetches, earliestModified, type FailureRun } from './changes/observations.ts';
export { hashOf, isMissing, signatureKind, signatureNumber } from './changes/signatures.ts';
export { solveEmbarrassmentWeights } from './embarrassment-weights.ts';
export { maxBatchSize, readRecord, solveArrivalProcess } from './laws/arrival-process.ts';
export { observedMoments, solveServiceTime } from './laws/service-time.ts';
export { requireNearGaps, solveUpdateProcess } from './laws/update-process.ts';
