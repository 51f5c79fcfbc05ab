/**
 * A simulated trace: pages in hosts, of which some change together, some in bursts, some independently.
 *
 * The true rates are known, and no constant of this project was tuned on the trace. A third of the hosts have pages that share moments of
 * change (share 0.5). A third have pages that change in bursts, and a third independent Poisson pages. Mean rates are
 * lognormal about one change in 40 days (σ = 1.2). The same seed gives the same trace.
 */
import { type Random, seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { standardExponential, standardNormal } from '../../src/solvers/numerics/random/random-variates.ts';
import type { TraceLine } from './page-history.ts';
import { day } from './replay.ts';

interface SimulatedTrace {
  readonly hosts: number;
  readonly pagesPerHost: number;
  readonly seed: number;
}

const share = 0.5;
const kinds = ['together', 'bursts', 'alone'] as const;

/** Moments of a Poisson process of this rate. */
function poisson(rate: number, start: number, end: number, random: Random): number[] {
  const times: number[] = [];
  if (rate <= 0) return times;
  for (let time = start; ; times.push(time)) {
    time += standardExponential(random) / rate;
    if (time >= end) return times;
  }
}

/** Four changes a burst on average: its beginning, and three in an exponential time of two weeks in the mean. */
function bursts(rate: number, start: number, end: number, random: Random): number[] {
  const length = 14 * day;
  // bursts that began up to ten mean lengths ago may still run
  return poisson(rate / 4, start - 10 * length, end, random)
    .flatMap((begin) => [begin, ...poisson(3 / length, begin, begin + length * standardExponential(random), random)])
    .filter((time) => time >= start && time < end);
}

/** Changes from `start` to `end` (Unix seconds) of hosts × pagesPerHost pages. */
export function simulateTrace({ hosts, pagesPerHost, seed }: SimulatedTrace, start: number, end: number): TraceLine[] {
  const random = seededRandom(seed);
  const lines: TraceLine[] = [];
  for (let h = 0; h < hosts; h++) {
    const kind = kinds[h % kinds.length];
    const rates = Array.from({ length: pagesPerHost }, () => Math.exp(1.2 * standardNormal(random)) / (40 * day));
    const fastest = Math.max(...rates);
    // Common moments of the host: each page changes at a moment with probability own rate / fastest rate.
    const moments = kind === 'together' ? poisson(share * fastest, start, end, random) : [];
    for (const [k, rate] of rates.entries()) {
      const changes =
        kind === 'bursts'
          ? bursts(rate, start, end, random)
          : [
              ...poisson(kind === 'together' ? (1 - share) * rate : rate, start, end, random),
              ...moments.filter(() => random() < rate / fastest),
            ];
      changes.sort((a, b) => a - b);
      lines.push({ id: `${kind}-${h}/${k}`, host: `${kind}-${h}`, firstFetch: start - 1, changes });
    }
  }
  return lines;
}
