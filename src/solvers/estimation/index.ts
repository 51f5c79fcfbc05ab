export { type ChangeRateOptions, type ChangeRates, estimateChangeRates } from './change-rates.ts';
export { type CheckHistory, changed, changedAtKnownAge, checkHistory, pageCount, unchanged } from './check-history.ts';
export { fitGammaPrior, type GammaPrior } from './gamma-prior.ts';
export { checksFromObservations, type Observation, type ObservationSummary } from './observations.ts';
