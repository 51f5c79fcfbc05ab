export { type ChangeRateOptions, type ChangeRates, estimateChangeRates } from './changes/change-rates.ts';
export {
  type CheckHistory,
  changed,
  changedAtKnownAge,
  checkHistory,
  pageCount,
  unchanged,
} from './changes/check-history.ts';
export { fitGammaPrior, type GammaPrior } from './changes/gamma-prior.ts';
export { checksFromObservations, type Observation, type ObservationSummary } from './changes/observations.ts';
export {
  type EmbarrassmentAnswer,
  type EmbarrassmentProblem,
  embarrassmentWeight,
  solveEmbarrassmentWeights,
  type ZipfClicks,
  zipfClicks,
} from './embarrassment-weights.ts';
export {
  type ArrivalFit,
  type ArrivalRecord,
  fitArrivals,
  observeSeries,
  readArrivals,
  type SeriesMoments,
} from './laws/arrival-process.ts';
export { findPeriod, type Periodicity } from './laws/periodicity.ts';
export {
  fitBranches,
  fitMoments,
  lawMoments,
  type MomentConflict,
  type Moments,
  momentsOf,
  sampleMoments,
} from './laws/service-time.ts';
export { rankUpdateLaws, type UpdateCandidate } from './laws/update-process.ts';
