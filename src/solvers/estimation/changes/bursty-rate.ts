/**
 * A page's change rate as it drifts, and as it bursts: the drifting rate's grid, in a quiet and in a busy state.
 *
 * Model: a page of mean rate λ is busy a share β of the time, in bursts of mean length L, and then changes κ times as
 * fast as when it is quiet: λ_quiet = λ/(1 − β + βκ), λ_busy = κ·λ_quiet; it turns busy at rate α = β/((1 − β)L) and
 * quiet at 1/L. Over a gap a the chances to go from state to state without a change are S = e^{(Q − Λ)a}, with any
 * changes e^{Qa}, both 2 × 2 in closed form; e^{Qa} − S is the chance with a change. λ itself walks and is drawn anew
 * as in drifting-rate.ts, before the gap's changes.
 * - A belief has the quiet points first, then the busy ones; `rates` are the long-run means λ of both.
 * Complexity: two exponentials a grid point and check (kept from one check to the next where gaps are equal).
 * Source: Fischer & Meier-Hellstern 1993 (Markov-modulated Poisson process). Limits: all pages share β, κ and L.
 */
import { changed, unchanged } from './check-history.ts';
import { leastMass } from './check-run.ts';
import type { DriftingRate, RateModel } from './drifting-rate.ts';

export interface Bursts {
  /** β: share of the time that a page is busy. */
  readonly busyShare: number;
  /** κ: how many times as fast it then changes. */
  readonly ratio: number;
  /** L: mean length of a burst. */
  readonly length: number;
}

/** Below this a gap's changes are counted to first order: the difference of two near 1 would lose them. */
const fewChanges = 1e-6;

export class BurstyRate implements RateModel {
  readonly size: number;
  readonly planes = 2;
  readonly run = null;
  readonly rates: Float64Array;
  readonly fastest: number;
  readonly population: Float64Array;
  readonly bursts: Bursts;
  readonly #slow: DriftingRate;
  readonly #n: number;
  readonly #quiet: Float64Array;
  /** Of Q − Λ, by grid point: half the difference of its diagonal, and half that of its eigenvalues. */
  readonly #half: Float64Array;
  readonly #root: Float64Array;
  readonly #begin: number;
  readonly #end: number;
  readonly #predicted: Float64Array;
  /**
   * Of the gap last asked for: S by grid point (to quiet, to busy from quiet; the same from busy), and the chances of a
   * change.
   */
  readonly #stays: Float64Array;
  readonly #moves: Float64Array;
  #gap = Number.NaN;

  /** @param slow the grid, the walk and the first population of λ */
  constructor(slow: DriftingRate, bursts: Bursts) {
    const { busyShare, ratio, length } = bursts;
    const n = slow.size;
    this.#slow = slow;
    this.#n = n;
    this.bursts = bursts;
    this.size = 2 * n;
    this.rates = Float64Array.from({ length: 2 * n }, (_, k) => slow.rates[k % n]);
    this.#quiet = slow.rates.map((rate) => rate / (1 - busyShare + busyShare * ratio));
    this.fastest = ratio * this.#quiet[n - 1];
    this.#begin = busyShare / ((1 - busyShare) * length);
    this.#end = 1 / length;
    this.#half = this.#quiet.map((quiet) => 0.5 * (this.#end + ratio * quiet - this.#begin - quiet));
    this.#root = this.#half.map((half) => Math.sqrt(half * half + this.#begin * this.#end));
    this.population = new Float64Array(2 * n);
    this.learn(Float64Array.from({ length: 2 * n }, (_, k) => (k < n ? slow.population[k] : 0)));
    this.#predicted = new Float64Array(2 * n);
    this.#stays = new Float64Array(4 * n);
    this.#moves = new Float64Array(4 * n);
  }

  /** Masses over λ, from both states: before its first check a page is in either by its share of the time. */
  learn(masses: Float64Array): void {
    const n = this.#n;
    const { busyShare } = this.bursts;
    for (let g = 0; g < n; g++) {
      const mass = masses[g] + masses[n + g];
      this.population[g] = (1 - busyShare) * mass;
      this.population[n + g] = busyShare * mass;
    }
  }

  /** The walk and the redraws of a gap, the states left as they are. */
  #drift(belief: Float64Array, at: number, gap: number, out: Float64Array, outAt: number): void {
    const n = this.#n;
    const kept = Math.exp(-this.#slow.redraw * gap);
    this.#slow.walk(belief, at, gap, out, outAt);
    this.#slow.walk(belief, at + n, gap, out, outAt + n);
    for (let k = 0; k < 2 * n; k++) out[outAt + k] = kept * out[outAt + k] + (1 - kept) * this.population[k];
  }

  predict(belief: Float64Array, at: number, gap: number, out: Float64Array, outAt: number): void {
    const n = this.#n;
    this.#drift(belief, at, gap, out, outAt);
    const { busyShare } = this.bursts;
    const relaxed = -Math.expm1(-(this.#begin + this.#end) * gap);
    for (let g = 0; g < n; g++) {
      const quiet = out[outAt + g];
      const busy = out[outAt + n + g];
      const moved = relaxed * ((1 - busyShare) * busy - busyShare * quiet);
      out[outAt + g] = quiet + moved;
      out[outAt + n + g] = busy - moved;
    }
  }

  observe(belief: Float64Array, at: number, gap: number, outcome: number): number {
    const n = this.#n;
    const x = this.#predicted;
    this.#drift(belief, at, gap, x, 0);
    this.#load(gap);
    const stays = this.#stays;
    const moves = this.#moves;
    const by = outcome === changed ? moves : stays;
    let mass = 0;
    for (let g = 0; g < n; g++) {
      let quiet = x[g];
      let busy = x[n + g];
      if (outcome !== changed && outcome !== unchanged) {
        quiet *= this.#quiet[g];
        busy *= this.bursts.ratio * this.#quiet[g];
      }
      x[g] = quiet * by[4 * g] + busy * by[4 * g + 2];
      x[n + g] = quiet * by[4 * g + 1] + busy * by[4 * g + 3];
      mass += x[g] + x[n + g];
    }
    if (!(mass > leastMass)) {
      // no rate explains the check: the slowest, quiet
      for (let k = 0; k < 2 * n; k++) belief[at + k] = k === 0 ? 1 : 0;
      return leastMass;
    }
    for (let k = 0; k < 2 * n; k++) belief[at + k] = x[k] / mass;
    return mass;
  }

  chanceOfChange(belief: Float64Array, at: number, gap: number): number {
    const n = this.#n;
    const x = this.#predicted;
    this.#drift(belief, at, gap, x, 0);
    this.#load(gap);
    const moves = this.#moves;
    let chance = 0;
    for (let g = 0; g < n; g++) {
      chance += x[g] * (moves[4 * g] + moves[4 * g + 1]) + x[n + g] * (moves[4 * g + 2] + moves[4 * g + 3]);
    }
    return chance;
  }

  /** Half the step in changes and states, the drift of the step, the other half (Strang). */
  growOlder(step: number, changedBy: Float64Array): void {
    const n = this.#n;
    this.#load(0.5 * step);
    this.#halfStep(changedBy);
    let drawn = 0;
    for (let k = 0; k < 2 * n; k++) drawn += this.population[k] * changedBy[k];
    const kept = Math.exp(-this.#slow.redraw * step);
    this.#slow.walk(changedBy, 0, step, changedBy, 0);
    this.#slow.walk(changedBy, n, step, changedBy, n);
    for (let k = 0; k < 2 * n; k++) changedBy[k] = kept * changedBy[k] + (1 - kept) * drawn;
    this.#halfStep(changedBy);
  }

  #halfStep(c: Float64Array): void {
    const n = this.#n;
    const stays = this.#stays;
    const moves = this.#moves;
    for (let g = 0; g < n; g++) {
      const quiet = moves[4 * g] + moves[4 * g + 1] + stays[4 * g] * c[g] + stays[4 * g + 1] * c[n + g];
      const busy = moves[4 * g + 2] + moves[4 * g + 3] + stays[4 * g + 2] * c[g] + stays[4 * g + 3] * c[n + g];
      c[g] = Math.min(1, quiet);
      c[n + g] = Math.min(1, busy);
    }
  }

  /** S and e^{Qa} − S of a gap, by grid point. */
  #load(gap: number): void {
    if (gap === this.#gap) return;
    this.#gap = gap;
    const begin = this.#begin;
    const end = this.#end;
    const { busyShare, ratio } = this.bursts;
    const relaxed = -Math.expm1(-(begin + end) * gap);
    const toBusy = busyShare * relaxed;
    const toQuiet = (1 - busyShare) * relaxed;
    for (let g = 0; g < this.#n; g++) {
      const quiet = this.#quiet[g];
      const busy = ratio * quiet;
      const half = this.#half[g];
      const root = this.#root[g];
      const middle = -0.5 * (begin + quiet + end + busy);
      const slow = Math.exp((middle + root) * gap);
      const fast = Math.exp((middle - root) * gap);
      const even = 0.5 * (slow + fast);
      const odd = (0.5 * (slow - fast)) / root;
      const s = 4 * g;
      this.#stays[s] = even + odd * half;
      this.#stays[s + 1] = odd * begin;
      this.#stays[s + 2] = odd * end;
      this.#stays[s + 3] = Math.max(0, even - odd * half);
      if (busy * gap < fewChanges) {
        // changes in the first or in the second half of the gap, by the state there
        this.#moves[s] = gap * quiet * (1 - toBusy);
        this.#moves[s + 1] = 0.5 * gap * (quiet + busy) * toBusy;
        this.#moves[s + 2] = 0.5 * gap * (quiet + busy) * toQuiet;
        this.#moves[s + 3] = gap * busy * (1 - toQuiet);
      } else {
        this.#moves[s] = Math.max(0, 1 - toBusy - this.#stays[s]);
        this.#moves[s + 1] = Math.max(0, toBusy - this.#stays[s + 1]);
        this.#moves[s + 2] = Math.max(0, toQuiet - this.#stays[s + 2]);
        this.#moves[s + 3] = Math.max(0, 1 - toQuiet - this.#stays[s + 3]);
      }
    }
  }
}
