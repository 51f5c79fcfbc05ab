/**
 * The least crawls among very many pages, in two or three sweeps over them.
 *
 * A sample knows how what is left, S(p), runs near the price sought, but not its level: S of all is taken as S of the
 * sample, times a factor that each sweep corrects. What a sweep leaves of the target, some 1e−6, one scaling of all
 * crawls takes away: where each crawl is worth the price, so many more of them save p·ΔR, and what is lost is of second
 * order. The bound is that of the dual at the last price swept.
 */
import { NothingToReturn } from '../../budget.ts';
import { clearingPrice } from '../market/index.ts';
import type { TargetProblem, Wanting } from './problem.ts';

const sampleSizes = [8192, 65_536];
/** How near a sample's own price is found, and what a sweep may be off for the scaling to be good to its square. */
const [sampled, near] = [1e-3, 1e-5];
const mostSweeps = 5;

export interface AmongMany {
  readonly crawls: Float64Array;
  readonly total: number;
  readonly price: number;
  readonly bound: number;
}

/** Whether pages are many enough. */
export const areMany = (pages: number): boolean => pages > 2 * sampleSizes[1];

/** @returns null where this does not come near in a few sweeps */
export function amongMany({ wanting, whole: target, start, budget }: TargetProblem): AmongMany | null {
  const { pages: count, within } = wanting;
  if (within === undefined) return null;
  let worth = 1 / start;
  let step = 1;
  let ofSample = (_: number): number => Number.NaN;
  for (const size of sampleSizes) {
    const stride = Math.ceil(count / size);
    const share = count / Math.ceil(count / stride);
    ofSample = (at) => share * sampleLeft(wanting, 1 / at, stride);
    worth = clearingPrice(ofSample, { supply: target, start: worth, step, tolerance: sampled }).high;
    step = 0.02;
  }
  const crawls = new Float64Array(count);
  const poll = (): void => {
    if (budget.stopRequested()) throw new NothingToReturn('how few crawls will do was being looked for');
  };
  for (let sweep = 0; sweep < mostSweeps; sweep++) {
    if (!(worth > 0 && worth < Number.POSITIVE_INFINITY)) return null;
    const price = 1 / worth;
    const { left, spent } = swept(wanting, price, crawls, poll);
    const excess = left - target;
    if (Math.abs(excess) <= near * target) {
      const scale = 1 + (excess * worth) / spent;
      let total = 0;
      for (let i = 0; i < count; i++) {
        crawls[i] = within(crawls[i] * scale);
        total += crawls[i];
      }
      return { crawls, total, price, bound: Math.min(total, Math.max(0, spent + excess * worth)) };
    }
    const supply = (target * ofSample(worth)) / left;
    const off = { start: worth, step: 2 * Math.abs(excess / target), tolerance: near / 10 };
    worth = clearingPrice(ofSample, { ...off, supply }).high;
  }
  return null;
}

function sampleLeft({ pages, crawlsAt, leftAt, leftWanted = leftAt }: Wanting, price: number, stride: number): number {
  let sum = 0;
  for (let i = 0; i < pages; i += stride) sum += leftWanted(i, crawlsAt(i, price), price);
  return sum;
}

/** Of all pages, whose crawls it notes. */
function swept(
  { crawlsAt, leftAt, leftWanted = leftAt }: Wanting,
  price: number,
  crawls: Float64Array,
  poll: () => void,
): { readonly left: number; readonly spent: number } {
  let left = 0;
  let spent = 0;
  for (let i = 0; i < crawls.length; i++) {
    if ((i & 4095) === 4095) poll();
    const wanted = crawlsAt(i, price);
    crawls[i] = wanted;
    spent += wanted;
    left += leftWanted(i, wanted, price);
  }
  return { left, spent };
}
