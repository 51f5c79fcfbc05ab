export {
  type ArrivalFit,
  type ArrivalRecord,
  fitArrivals,
  observeSeries,
  readArrivals,
  type SeriesMoments,
} from './arrival-process.ts';
export { type ChangeRateOptions, type ChangeRates, estimateChangeRates } from './change-rates.ts';
export { type CheckHistory, changed, changedAtKnownAge, checkHistory, pageCount, unchanged } from './check-history.ts';
export { embarrassmentWeight, zipfClicks } from './embarrassment-weights.ts';
export { fitGammaPrior, type GammaPrior } from './gamma-prior.ts';
export { checksFromObservations, type Observation, type ObservationSummary } from './observations.ts';
export { findPeriod, type Periodicity } from './periodicity.ts';
export {
  fitBranches,
  fitMoments,
  lawMoments,
  type MomentConflict,
  type Moments,
  momentsOf,
  sampleMoments,
} from './service-time.ts';
export { rankUpdateLaws, type UpdateCandidate } from './update-process.ts';
