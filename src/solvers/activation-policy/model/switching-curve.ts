/**
 * The policy as the paper draws it (Figures 1.5-1.7). For each number of active crawlers it is the largest queue
 * length, both just before the event, at which the answer is "activate".
 */
import { isNonIncreasing } from './activation-model.ts';

/** The two shifts of the targets R. */
export interface SwitchingCurves {
  /** Whether R never rises with the queue length; then both curves never rise with the active crawlers either. */
  readonly monotone: boolean;
  /** For r = 0..N; null at r = 0, where no page can arrive; −1 where never. An arrival at q = K leaves q = K. */
  readonly afterArrival: (number | null)[];
  /** For r = 0..N; −1 where never, as at r = N, where none is left to activate. */
  readonly afterDeparture: number[];
}

/** The curves of R[0..K] for `crawlers` crawlers. O(K + N) when R is non-increasing, else O(K·N). */
export function switchingCurves(targets: ArrayLike<number>, crawlers: number): SwitchingCurves {
  const K = targets.length - 1;
  // Made at full length: with millions of crawlers growing them would take longer than filling them.
  const afterArrival = new Array<number | null>(crawlers + 1).fill(null);
  const afterDeparture = new Array<number>(crawlers + 1).fill(0);
  for (let r = 1; r <= crawlers; r++) {
    // An arrival from q leaves min(q + 1, K) and r − 1 active: at q = K and at q = K − 1 the same decision.
    if (targets[K] > r - 1) {
      afterArrival[r] = K;
      continue;
    }
    let q = K - 2;
    while (q >= 0 && targets[q + 1] <= r - 1) q--;
    afterArrival[r] = Math.max(q, -1);
  }
  for (let r = 0; r <= crawlers; r++) {
    let q = K;
    while (q >= 1 && (r === crawlers || targets[q - 1] <= r)) q--;
    afterDeparture[r] = q === 0 ? -1 : q;
  }
  return { monotone: isNonIncreasing(targets), afterArrival, afterDeparture };
}
