export { solveChangeRates } from './changes/change-rates.ts';
export {
  type CheckHistory,
  changedAtKnownAge,
  changedOutcome,
  checkHistory,
  unchangedOutcome,
} from './changes/check-history.ts';
export { type FailingPage, type FailingPages, failingPages, type WatchedPage } from './changes/failing-pages.ts';
export {
  columnsOf,
  type FetchColumns,
  type Observation,
  sawPage,
  unknownStatus,
} from './changes/fetches.ts';
export { fitGammaPrior, type GammaPrior } from './changes/gamma-prior.ts';
export {
  checksFromFetches,
  checksFromObservations,
  earliestModified,
  type FailureRun,
  type ObservationSummary,
} from './changes/observations.ts';
export { areComparable, hashOf, isMissing, signatureKind, signatureNumber, signatureOf } from './changes/signatures.ts';
export { embarrassmentWeight, solveEmbarrassmentWeights, zipfClicks } from './embarrassment-weights.ts';
export {
  fitArrivals,
  maxBatchSize,
  observeSeries,
  readArrivals,
  readRecord,
  solveArrivalProcess,
} from './laws/arrival-process.ts';
export {
  fitMoments,
  lawMoments,
  type Moments,
  momentsOf,
  observedMoments,
  solveServiceTime,
} from './laws/service-time.ts';
export {
  rankUpdateLaws,
  requireNearGaps,
  solveUpdateProcess,
  type UpdateCandidate,
} from './laws/update-process.ts';
export type {
  ArrivalProcessProblem,
  ChangeRatesProblem,
  EmbarrassmentProblem,
  ServiceTimeProblem,
  UpdateProcessProblem,
  ZipfClicks,
} from './problem.ts';
