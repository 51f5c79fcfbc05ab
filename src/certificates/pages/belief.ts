/**
 * What is believed of pages' change rates, worked out again from the histories as the model states it.
 *
 * A page has four memories with half-lives of 20, 80, 320 and 1,280 units; each is a Gamma law (a, b) of the rate.
 * After a gap it forgets towards the prior, then takes the check in. Unchanged adds the gap to b, and a change at a
 * known age adds 1 to a. A change at an unknown time matches two moments of the posterior. Memories weigh by how well
 * they foretold. Nothing is shared with the planner; powers are computed one by one.
 */
import type { CheckHistory } from '../../solvers/estimation/index.ts';
import { changed, changedAtKnownAge, unchanged } from '../estimates/history.ts';

/** A Gamma law of the rate and its weight. */
export interface Memory {
  readonly shape: number;
  readonly scale: number;
  readonly share: number;
}

const day = 86_400;
const halfLives = [20, 80, 320, 1280];
const fading = 365;
const priorShape = 0.5;
const passes = 3;
/** Pages of more than so many are fitted by a sample. */
const largestSample = 4096;
/** Of more gaps than so many the middle one is that of a sample, which is not taken again here. */
const mostGaps = 65_536;

interface Prior {
  readonly scale: number;
  readonly unit: number;
}

/** The memories of every page; null where the log is too large to be worked out again. */
export function beliefsOf(history: CheckHistory, expected: number): Memory[][] | null {
  const { elapsed, outcome, offsets, matters } = history;
  if (elapsed.length > mostGaps) return null;
  const gap = elapsed.length === 0 ? day : elapsed.toSorted()[elapsed.length >> 1];
  const unit = Math.min(Math.max(day, gap / 100), gap / 0.2);
  let mean = expected;
  const pages = Array.from({ length: offsets.length - 1 }, (_, i) => i);
  if (elapsed.length > 0) {
    const changes = outcome.reduce((sum, seen, k) => sum + (seen === unchanged ? 0 : (matters?.[k] ?? 1)), 0.5);
    mean = changes / elapsed.reduce((sum, each) => sum + Math.min(each, 1000 * gap), 0);
    const stride = Math.max(1, pages.length / largestSample);
    const sample = Array.from({ length: Math.ceil(pages.length / stride) }, (_, s) => Math.floor(s * stride));
    for (let pass = 0; pass < passes; pass++) {
      const prior = { scale: priorShape / mean, unit };
      const means = sample.map((i) => meanOf(weighed(read(history, i, prior), [0, 0, 0, 0])));
      mean = Math.sqrt((mean * means.reduce((sum, each) => sum + each, 0)) / sample.length);
    }
  }
  const prior = { scale: priorShape / mean, unit };
  const all = pages.map((i) => read(history, i, prior));
  const common = halfLives.map((_, k) => all.reduce((sum, page) => sum + page[k].unfaded, 0) / (2 * pages.length));
  return all.map((page) => weighed(page, common));
}

interface Read {
  readonly shape: number;
  readonly scale: number;
  /** Σ ln P(check), the older ones faded; and without fading. */
  readonly faded: number;
  readonly unfaded: number;
}

function read({ offsets, elapsed, outcome, matters }: CheckHistory, i: number, prior: Prior): Read[] {
  return halfLives.map((halfLife) => {
    let [a, b, faded, unfaded] = [priorShape, prior.scale, 0, 0];
    for (let k = offsets[i]; k < offsets[i + 1]; k++) {
      const gap = elapsed[k];
      const kept = 2 ** (-gap / (halfLife * prior.unit));
      a = priorShape + kept * (a - priorShape);
      b = prior.scale + kept * (b - prior.scale);
      const fresh = -a * Math.log1p(gap / b);
      let seen = fresh;
      if (outcome[k] === changedAtKnownAge) {
        seen += Math.log(a / (b + gap));
        [a, b] = [a + 1, b + gap];
      } else if (outcome[k] === changed) {
        const stale = gap / (b + gap);
        const p = Math.max(-Math.expm1(fresh), Number.MIN_VALUE);
        const one = stale + (1 - stale) * p;
        const m = matters?.[k] ?? 1;
        const still = a / (b + gap);
        const first = (m * ((a / b) * one)) / p + (1 - m) * still;
        const second =
          (m * (((a * (a + 1)) / b / b) * (stale + (1 - stale) * one))) / p + ((1 - m) * still * (a + 1)) / (b + gap);
        const variance = Math.max(second - first * first, 1e-6 * first * first);
        seen = m * Math.log(p) + (1 - m) * fresh;
        [a, b] = [(first * first) / variance, first / variance];
      } else b += gap;
      faded = faded * 2 ** (-gap / (fading * prior.unit)) + seen;
      unfaded += seen;
    }
    return { shape: a, scale: b, faded, unfaded };
  });
}

function weighed(page: readonly Read[], common: readonly number[]): Memory[] {
  const logs = page.map(({ faded }, k) => faded + common[k]);
  const most = Math.max(...logs);
  const total = logs.reduce((sum, log) => sum + Math.exp(log - most), 0);
  return page.map(({ shape, scale }, k) => ({ shape, scale, share: Math.exp(logs[k] - most) / total }));
}

export function meanOf(memories: readonly Memory[]): number {
  return memories.reduce((sum, { shape, scale, share }) => sum + (share * shape) / scale, 0);
}

/** P(changed within an age). */
export function changedBy(memories: readonly Memory[], age: number): number {
  return memories.reduce(
    (sum, { shape, scale, share }) => sum - share * Math.expm1(-shape * Math.log1p(age / scale)),
    0,
  );
}
