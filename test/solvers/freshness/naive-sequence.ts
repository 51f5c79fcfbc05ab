/**
 * The empirical-Bernstein confidence sequence written from Theorem 2 of Waudby-Smith & Ramdas (2024), which the solver
 * is held against. It has one formula a line, and every sum anew from the first observation.
 */
export interface NaiveInterval {
  readonly low: number;
  readonly high: number;
  /** Σλ_t target_t/Σλ_t: what the interval is for, where the mean moves. */
  readonly target: number;
}

/** The interval after each observation of `z`; `targets` are the means that the observations have. */
export function naiveIntervals(z: readonly number[], targets: readonly number[], alpha: number): NaiveInterval[] {
  const logTwoOverAlpha = Math.log(2 / alpha);
  const intervals: NaiveInterval[] = [];
  let [sum, squares] = [0, 0];
  let [bets, betSum, spread, targetSum] = [0, 0, 0, 0];
  for (const [i, each] of z.entries()) {
    const t = i + 1;
    const mean = (0.5 + sum) / t;
    const variance = (0.25 + squares) / t;
    const bet = Math.min(0.5, Math.sqrt((2 * logTwoOverAlpha) / (variance * t * Math.log(1 + t))));
    bets += bet;
    betSum += bet * each;
    targetSum += bet * targets[i];
    spread += (4 * (each - mean) ** 2 * (-Math.log(1 - bet) - bet)) / 4;
    sum += each;
    squares += (each - (0.5 + sum) / (t + 1)) ** 2;
    const half = (logTwoOverAlpha + spread) / bets;
    intervals.push({ low: betSum / bets - half, high: betSum / bets + half, target: targetSum / bets });
  }
  return intervals;
}
