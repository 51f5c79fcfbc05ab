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

/** The interval of a weighted mean: the means at which neither side's sum has reached its level, by bisection. */
export function ratioInterval(z: readonly number[], weights: readonly number[], alpha: number): [number, number] {
  const level = Math.log(2 / alpha);
  const heaviest = Math.max(...weights);
  let [total, sum, squares] = [0, 0, 0.25];
  const bets = z.map((each, i) => {
    const w = weights[i] / heaviest;
    const bet = Math.min(0.5, Math.sqrt((2 * level) / ((squares / (i + 1)) * (i + 1) * Math.log(2 + i))));
    squares += (w * (each - (sum + 0.5) / (total + 1))) ** 2;
    total += w;
    sum += w * each;
    return { z: each, w, bet, psi: -Math.log1p(-bet) - bet };
  });
  /** Above 0 where θ is refused, by the side that takes it for too high (+1) or too low (−1). */
  const excess = (theta: number, side: number): number =>
    bets.reduce((all, { z: each, w, bet, psi }) => {
      return all + side * bet * w * (theta - each) - psi * (w * (each - theta)) ** 2;
    }, -level);
  const edge = (side: number): number => {
    let [inside, outside] = [sum / total, side > 0 ? 1 : 0];
    if (excess(outside, side) <= 0) return outside;
    for (let i = 0; i < 100; i++) {
      const middle = (inside + outside) / 2;
      if (excess(middle, side) > 0) outside = middle;
      else inside = middle;
    }
    return inside;
  };
  return [edge(-1), edge(1)];
}
