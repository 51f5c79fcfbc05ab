/**
 * The least accesses among very many pages, in two or three sweeps over them.
 *
 * A sample knows how what is left, S(p), runs near the price sought, but not its level. S of all is taken as S of the
 * sample, times a factor that each sweep corrects. One scaling of all accesses takes away what a sweep leaves of the
 * target, some 1e−6. Where each access is worth the price, so many more of them save p·ΔR, and what is lost is of
 * second order. The bound is that of the dual at the last price swept.
 * Evenly spaced accesses need no exponential: a·freshnessGain(s) = p gives e^(−s) = (a − p)/(a(1 + s)).
 */
import { type Budget, NothingToReturn } from '../../budget.ts';
import { clearingPrice } from '../../pages/market/index.ts';
import { type AccessPages, randomStaleness, staleness } from '../access-pages.ts';
import type { AccessFrequenciesProblem } from '../problem.ts';
import { spacings } from '../tables/spacing-table.ts';

const sampleSizes = [8192, 65_536];
/** How near a sample's own price is found, and what a sweep may be off for the scaling to be good to its square. */
const [sampled, near] = [1e-3, 1e-5];
const mostSweeps = 5;
/** Below it a difference would lose digits: in a sum over pages, and in what one of them is told. */
const [smallInSum, small] = [0.1, 0.5];

interface AmongMany {
  /** By page, in the time that an access takes. */
  readonly crawls: Float64Array;
  readonly total: number;
  readonly price: number;
  readonly bound: number;
  /** By page, at these accesses. */
  readonly stale: Float64Array;
}

interface TargetOfMany {
  readonly pages: AccessPages;
  readonly policy: AccessFrequenciesProblem['policy'];
  readonly target: number;
  readonly budget: Budget;
}

/** @returns null for few pages, and where this does not come near in a few sweeps */
export function amongMany({ pages, policy, target, budget }: TargetOfMany): AmongMany | null {
  const { length } = pages;
  if (length <= 2 * sampleSizes[1] || !(target > 0 && target < Number.POSITIVE_INFINITY)) return null;
  const swept = policy === 'deterministic' ? sweptEvenly : sweptAtRandom;
  let worth = Number.NaN;
  let step = 1;
  let ofSample = (_: number): number => Number.NaN;
  for (const size of sampleSizes) {
    const sample = every(Math.ceil(length / size), pages);
    const share = length / sample.length;
    ofSample = (at) => share * swept(sample, 1 / at, null, noPoll).left;
    const start = Number.isNaN(worth) ? startOf(sample) : worth;
    worth = clearingPrice(ofSample, { supply: target, start, step, tolerance: sampled }).high;
    step = 0.02;
  }
  const accesses = new Float64Array(length);
  const poll = (): void => {
    if (budget.stopRequested()) throw new NothingToReturn('how few crawls will do was being looked for');
  };
  for (let sweep = 0; sweep < mostSweeps; sweep++) {
    if (!(worth > 0 && worth < Number.POSITIVE_INFINITY)) return null;
    const price = 1 / worth;
    const { left, spent } = swept(pages, price, accesses, poll);
    const excess = left - target;
    if (Math.abs(excess) <= near * target) {
      const more = (excess * worth) / spent;
      let total = 0;
      for (let i = 0; i < length; i++) {
        accesses[i] = Math.min(1, accesses[i] * (1 + more));
        total += accesses[i];
      }
      const stale =
        policy === 'deterministic' ? staleEvenly(pages, accesses, price, more) : staleAtRandom(pages, accesses);
      return { crawls: accesses, total, price, bound: Math.min(total, Math.max(0, spent + excess * worth)), stale };
    }
    const supply = (target * ofSample(worth)) / left;
    const off = { start: worth, step: 2 * Math.abs(excess / target), tolerance: near / 10 };
    worth = clearingPrice(ofSample, { ...off, supply }).high;
  }
  return null;
}

/** A first idea of what a worth, one over a price, is: accesses cost when pages are accessed as often as they change. */
function startOf({ length, gain }: AccessPages): number {
  let sum = 0;
  for (let i = 0; i < length; i++) sum += gain[i];
  return sum > 0 ? (5 * length) / sum : 1;
}

/** Every stride-th page. */
function every(stride: number, pages: AccessPages): AccessPages {
  const length = Math.ceil(pages.length / stride);
  const of = (values: Float64Array): Float64Array => {
    const chosen = new Float64Array(length);
    for (let k = 0; k < length; k++) chosen[k] = values[k * stride];
    return chosen;
  };
  return {
    ...pages,
    length,
    weight: of(pages.weight),
    load: of(pages.load),
    gain: of(pages.gain),
    floor: of(pages.floor),
  };
}

interface Swept {
  /** Σ of what is left, by weight, and of accesses. */
  readonly left: number;
  readonly spent: number;
}

const noPoll = (): void => {};

/** Of all pages at a price; notes their accesses where it is given. */
function sweptEvenly(pages: AccessPages, price: number, accesses: Float64Array | null, poll: () => void): Swept {
  const { length, load, gain, weight, floor } = pages;
  let left = 0;
  let spent = 0;
  for (let i = 0; i < length; i++) {
    if ((i & 4095) === 4095) poll();
    const a = gain[i];
    let x = 0;
    let rest = 1;
    if (a > price) {
      const s = spacings.spacing(a, price);
      x = load[i] / s;
      if (x < 1 && s > smallInSum) {
        const fresh = (1 - (a - price) / (a * (1 + s))) / s;
        rest = floor[i] + (1 - floor[i]) * (1 - fresh);
      } else {
        x = Math.min(1, x);
        rest = staleness(pages, i, load[i] / x);
      }
    }
    left += weight[i] * rest;
    spent += x;
    if (accesses !== null) accesses[i] = x;
  }
  return { left, spent };
}

function sweptAtRandom(pages: AccessPages, price: number, accesses: Float64Array | null, poll: () => void): Swept {
  const { length, load, gain, weight } = pages;
  let left = 0;
  let spent = 0;
  for (let i = 0; i < length; i++) {
    if ((i & 4095) === 4095) poll();
    const a = gain[i];
    const x = a > price ? Math.min(1, Math.expm1(Math.min(load[i], 600)) * (Math.sqrt(a / price) - 1)) : 0;
    left += weight[i] * randomStaleness(pages, i, x);
    spent += x;
    if (accesses !== null) accesses[i] = x;
  }
  return { left, spent };
}

/**
 * Staleness at what all took at a price, and the share `more` of it. The accesses then lie s/(1 + more) apart. Their
 * exponential is the one at s times that of a small number, of which doubles see three terms.
 */
function staleEvenly(pages: AccessPages, accesses: Float64Array, price: number, more: number): Float64Array {
  const { length, load, gain, floor } = pages;
  const result = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    const x = accesses[i];
    if (!(x > 0)) {
      result[i] = 1;
      continue;
    }
    const s = load[i] / x;
    if (!(x < 1 && s > small)) {
      result[i] = staleness(pages, i, s);
      continue;
    }
    const step = s * more;
    const fading = ((gain[i] - price) / (gain[i] * (1 + s + step))) * (1 + step * (1 + step / 2));
    result[i] = floor[i] + (1 - floor[i]) * (1 - (1 - fading) / s);
  }
  return result;
}

function staleAtRandom(pages: AccessPages, accesses: Float64Array): Float64Array {
  return accesses.map((x, i) => randomStaleness(pages, i, x));
}
