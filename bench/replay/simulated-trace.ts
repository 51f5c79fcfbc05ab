/**
 * A trace that no one lived: pages in hosts, some of which change together, some in bursts, some by themselves.
 *
 * Its truth is known and nothing in this project was set on it. A third of the hosts have pages that share moments of
 * change (share 0.5). A third have pages that change in bursts, and a third independent Poisson pages. Mean rates are
 * lognormal about one change in 40 days (σ = 1.2). The same seed gives the same trace.
 */
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { standardNormal } from '../../src/solvers/numerics/random/random-variates.ts';
import { SharedMoments } from '../../src/solvers/page-simulation/common-updates.ts';
import { type UpdateStream, updateStream } from '../../src/solvers/page-simulation/update-stream.ts';
import type { TraceLine } from './page-history.ts';
import { day } from './replay.ts';

export interface SimulatedTrace {
  readonly hosts: number;
  readonly pagesPerHost: number;
  readonly seed: number;
}

const share = 0.5;
const kinds = ['together', 'bursts', 'alone'] as const;

/** Changes from `start` to `end` (Unix seconds) of hosts × pagesPerHost pages. */
export function simulateTrace({ hosts, pagesPerHost, seed }: SimulatedTrace, start: number, end: number): TraceLine[] {
  const random = seededRandom(seed);
  const lines: TraceLine[] = [];
  for (let h = 0; h < hosts; h++) {
    const kind = kinds[h % kinds.length];
    const rates = Array.from({ length: pagesPerHost }, () => Math.exp(1.2 * standardNormal(random)) / (40 * day));
    const fastest = Math.max(...rates);
    const moments = new SharedMoments(
      kind === 'together' ? share * fastest : 0,
      { start, duration: end },
      random,
      () => {},
    );
    for (const [k, rate] of rates.entries()) {
      let stream: UpdateStream;
      if (kind === 'bursts') {
        // four updates a burst of a fortnight, on average
        const bursty = { type: 'bursty', rate: rate / 4, burstRate: 3 / (14 * day), burstLength: 14 * day } as const;
        stream = updateStream(bursty, start, random);
      } else {
        const own = kind === 'together' ? (1 - share) * rate : rate;
        stream = updateStream({ type: 'poisson', rate: own }, start, random);
        if (kind === 'together') stream = moments.stream(stream, start, rate / fastest, random);
      }
      const changes: number[] = [];
      for (let time = stream(); time < end; time = stream()) changes.push(time);
      lines.push({ id: `${kind}-${h}/${k}`, host: `${kind}-${h}`, firstFetch: start - 1, changes });
    }
  }
  return lines;
}
