/** The recursion at departures, short cuts and Fourier transforms included, against every sum in full. */
import { describe, expect, it } from 'vitest';
import { type ArrivalsDuringService, arrivalCounter } from '../../../src/solvers/crawler-count/arrivals.ts';
import { departureWeights } from '../../../src/solvers/crawler-count/general-queue.ts';
import { createLaw, type Distribution } from '../../../src/solvers/laws/index.ts';

function inFull(capacity: number, { none, beyond }: ArrivalsDuringService): Float64Array {
  const p = new Float64Array(capacity);
  p[0] = 1;
  for (let j = 0; j + 1 < capacity; j++) {
    let sum = p[0] * beyond[j];
    for (let i = 1; i <= j; i++) sum += p[i] * beyond[j - i + 1];
    p[j + 1] = sum / none;
    if (p[j + 1] > 1e150) for (let i = 0; i <= j + 1; i++) p[i] *= 1e-200;
  }
  return p;
}

const laws: readonly Distribution[] = [
  { type: 'exponential', rate: 1 },
  { type: 'hyperexponential', probabilities: [0.01, 0.99], rates: [0.01, 5] },
  { type: 'gamma', shape: 0.02, rate: 0.02 },
  { type: 'lognormal', mu: -0.72, sigma: 1.2 },
  { type: 'weibull', shape: 0.3, scale: 0.1 },
  { type: 'pareto', shape: 1.2, scale: 0.1 },
  { type: 'pareto', shape: 2.5, scale: 0.6 },
  { type: 'lomax', shape: 1.5, scale: 0.5 },
];

describe('the weights left behind by departures', () => {
  it.each(laws.map((law) => [law.type, law] as const))(
    'with %s indexing are those of the full sums to 1e−10, from half load to five times too much, rising or falling by hundreds of orders',
    (_type, law) => {
      const capacity = 2500;
      const { mean } = createLaw(law);
      for (const load of [0.5, 0.9, 0.99, 1, 1.02, 1.5, 5]) {
        const arrivals = arrivalCounter(law, capacity)(load / mean);
        const actual = departureWeights(capacity, arrivals);
        const expected = inFull(capacity, arrivals);
        const top = expected.reduce((a, b) => Math.max(a, b), 0);
        const factor = top / actual.reduce((a, b) => Math.max(a, b), 0);
        let worst = 0;
        for (let j = 0; j < capacity; j++) {
          if (expected[j] > 1e-280 && actual[j] > 1e-280)
            worst = Math.max(worst, Math.abs((actual[j] * factor) / expected[j] - 1));
          else expect(Math.min(expected[j], actual[j] * factor) / top, `place ${j}`).toBeLessThan(1e-250);
        }
        expect(worst, `ρ = ${load}`).toBeLessThan(1e-10);
      }
    },
  );

  it('are all at K − 1 where a service never passes without an arrival', () => {
    const arrivals = arrivalCounter({ type: 'deterministic', value: 1 }, 5)(1000);
    expect(Array.from(departureWeights(5, arrivals))).toEqual([0, 0, 0, 0, 1]);
  });
});
