/**
 * Property tests draw from one fixed seed, so that a run says the same everywhere; `PROPERTY_SEED=$RANDOM npm test`
 * looks further. A failing property stops shrinking after two minutes and prints the instance it has.
 */
import fc from 'fast-check';

fc.configureGlobal({
  seed: Number(process.env.PROPERTY_SEED ?? 20261121),
  interruptAfterTimeLimit: 120_000,
  markInterruptAsFailure: true,
});
