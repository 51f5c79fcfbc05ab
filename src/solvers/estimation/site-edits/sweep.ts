/** One host's checks swept over in time, for the times at which an edit of the whole host is likely. */
import type { DatedChecks } from './problem.ts';

/** Shares of the pages that an edit may change, all alike likely. */
const touched = [0.25, 0.5, 0.75, 0.97] as const;
const leastChance = 1e-9;
const rounds = 8;
/** Edits of fewer pages than this are no edits of a host. */
export const fewestPages = 3;

/** An edit, with the checks that span it. */
export interface Peak {
  readonly time: number;
  readonly ratio: number;
  readonly checks: readonly number[];
}

export class SpanSweep {
  readonly #given: DatedChecks;
  readonly #pages: readonly number[];
  /** The checks of these pages in the request, their pages here, and where each begins and ends. */
  readonly #check: Uint32Array;
  readonly #page: Uint32Array;
  readonly #start: Float64Array;
  readonly #end: Float64Array;
  /** Ends (2k) and starts (2k + 1) of checks in order of time. */
  readonly #order: Uint32Array;

  constructor(given: DatedChecks, pages: readonly number[]) {
    this.#given = given;
    this.#pages = pages;
    const count = pages.reduce((sum, i) => sum + given.offsets[i + 1] - given.offsets[i], 0);
    this.#check = new Uint32Array(count);
    this.#page = new Uint32Array(count);
    this.#start = new Float64Array(count);
    this.#end = new Float64Array(count);
    let at = 0;
    for (const [p, i] of pages.entries()) {
      let end = given.lastCheck[i];
      for (let k = given.offsets[i + 1] - 1; k >= given.offsets[i]; k--, at++) {
        this.#check[at] = k;
        this.#page[at] = p;
        this.#end[at] = end;
        end -= given.elapsed[k];
        this.#start[at] = end;
      }
    }
    const order = Uint32Array.from({ length: 2 * count }, (_, e) => e);
    this.#order = order.sort((a, b) => this.#timeOf(a) - this.#timeOf(b));
  }

  get checks(): number {
    return this.#check.length;
  }

  /** Times at which the set of spanning checks may change. */
  get places(): number {
    return this.#order.length;
  }

  /**
   * The times at which the logarithm of the ratio is largest and above a threshold, likeliest first. Of two that share
   * checks the second counts only if it is above without these.
   */
  peaks(aside: Uint8Array, threshold: number): Peak[] {
    const terms = this.#terms(aside);
    const candidates = this.#candidates(terms, threshold).sort((a, b) => b.ratio - a.ratio);
    const taken = new Uint8Array(this.#check.length);
    const peaks: Peak[] = [];
    for (const { time, ratio, spanning } of candidates) {
      const free = spanning.filter((k) => taken[k] === 0);
      if (free.length < spanning.length && !(ratioOf(sumOver(terms, free)) > threshold)) continue;
      for (const k of free) taken[k] = 1;
      peaks.push({ time, ratio, checks: spanning.map((k) => this.#check[k]) });
    }
    return peaks;
  }

  #timeOf(event: number): number {
    return event % 2 === 0 ? this.#end[event >> 1] : this.#start[event >> 1];
  }

  /** The largest of every stretch of time above the threshold. */
  #candidates(terms: Float64Array, threshold: number) {
    const found: { time: number; ratio: number; spanning: number[] }[] = [];
    const active = new Set<number>();
    const sums = new Float64Array(touched.length);
    let best: (typeof found)[number] | null = null;
    for (let e = 0; e < this.#order.length; e++) {
      const event = this.#order[e];
      const k = event >> 1;
      const sign = event % 2 === 0 ? -1 : 1;
      if (sign > 0) active.add(k);
      else active.delete(k);
      for (let q = 0; q < touched.length; q++) sums[q] += sign * terms[touched.length * k + q];
      const time = this.#timeOf(event);
      const next = e + 1 < this.#order.length ? this.#timeOf(this.#order[e + 1]) : time;
      if (next === time) continue;
      const ratio = active.size < fewestPages ? Number.NEGATIVE_INFINITY : ratioOf(sums);
      if (ratio > threshold) {
        if (best === null || ratio > best.ratio) best = { time: 0.5 * (time + next), ratio, spanning: [...active] };
      } else if (best !== null) {
        found.push(best);
        best = null;
      }
    }
    if (best !== null) found.push(best);
    return found;
  }

  /** By check and share touched: what the check adds to the logarithm of the ratio; 0 for those set aside. */
  #terms(aside: Uint8Array): Float64Array {
    const rates = this.#rates(aside);
    const terms = new Float64Array(touched.length * this.#check.length);
    for (let k = 0; k < this.#check.length; k++) {
      if (aside[this.#check[k]] === 1) continue;
      const p = Math.max(leastChance, -Math.expm1(-rates[this.#page[k]] * (this.#end[k] - this.#start[k])));
      const seen = this.#given.changed[this.#check[k]] !== 0;
      for (const [q, share] of touched.entries()) {
        terms[touched.length * k + q] = Math.log(seen ? share / p + 1 - share : 1 - share);
      }
    }
    return terms;
  }

  /**
   * Each page's own rate by the checks left, likeliest with a Gamma law of shape 1 about the pooled rate for a prior.
   * Method: expectation and maximisation over the changes that a check may have had.
   */
  #rates(aside: Uint8Array): Float64Array {
    const pages = this.#pages.length;
    const watched = new Float64Array(pages);
    const left: number[] = [];
    let changed = 0;
    for (let k = 0; k < this.#check.length; k++) {
      if (aside[this.#check[k]] === 1) continue;
      left.push(k);
      watched[this.#page[k]] += this.#end[k] - this.#start[k];
      if (this.#given.changed[this.#check[k]] !== 0) changed++;
    }
    const time = Math.max(
      watched.reduce((sum, each) => sum + each, 0),
      Number.MIN_VALUE,
    );
    // −ln((n − X + ½)/(n + ½)) over the mean gap (Cho & Garcia-Molina 2003)
    const pooled = (Math.log((left.length + 0.5) / (left.length - changed + 0.5)) * left.length + 0.5) / time;
    let rates = new Float64Array(pages).fill(pooled);
    for (let round = 0; round < rounds; round++) {
      const expected = new Float64Array(pages).fill(1);
      for (const k of left) {
        if (this.#given.changed[this.#check[k]] === 0) continue;
        const mean = rates[this.#page[k]] * (this.#end[k] - this.#start[k]);
        expected[this.#page[k]] += mean < leastChance ? 1 : mean / -Math.expm1(-mean);
      }
      rates = expected.map((count, p) => count / (1 / pooled + watched[p]));
    }
    return rates;
  }
}

/** The logarithm of the mean of e^sum. */
function ratioOf(sums: Float64Array): number {
  const most = Math.max(...sums);
  return most + Math.log(sums.reduce((sum, each) => sum + Math.exp(each - most), 0) / sums.length);
}

function sumOver(terms: Float64Array, checks: readonly number[]): Float64Array {
  const sums = new Float64Array(touched.length);
  for (const k of checks) for (let q = 0; q < touched.length; q++) sums[q] += terms[touched.length * k + q];
  return sums;
}
