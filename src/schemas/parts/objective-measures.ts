/** What the objectives of page operations measure, in words, over the whole of the pages. */
import type { ObjectiveName } from '../../solvers/pages/objectives/index.ts';

export const objectiveMeasures: Readonly<Record<ObjectiveName, { readonly measure: string; readonly unit: string }>> = {
  freshness: { measure: 'staleness', unit: 'weight × share of the time' },
  delay: { measure: 'changes not yet seen', unit: 'weight × changes, in the mean' },
  age: { measure: 'age of what is shown', unit: 'weight × time, in the mean' },
  harmonic: { measure: 'harmonic staleness', unit: 'weight × logarithm, in the mean' },
};
