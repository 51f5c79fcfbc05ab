/**
 * Hosts whose pages change by themselves and now and then all at once, as a crawler and its signals see them.
 *
 * Page i changes at rate λ_i (lognormal over the pages). Edits of the whole host come at `edits` a unit of time and
 * change each page with chance `touched`. A touched page is signalled where `editsSignalled`. Checks are at gaps of 0.3
 * to 1.7, each page's own.
 */
import type { Random } from '../../../src/solvers/numerics/random/random.ts';
import { standardExponential, standardNormal } from '../../../src/solvers/numerics/random/random-variates.ts';

export interface SiteModel {
  readonly pages: number;
  readonly checks: number;
  /** Median of the pages' own rates, and the deviation of their logarithms. */
  readonly rate: number;
  readonly spread: number;
  readonly precision: number;
  readonly recall: number;
  /** Edits of the whole host a unit of time; 0 for none. */
  readonly edits: number;
  readonly touched: number;
  readonly editsSignalled: boolean;
}

/** Checks in the form that the estimators take, and what they came from. */
export interface SeenSite {
  readonly offsets: Uint32Array;
  readonly elapsed: Float64Array;
  readonly changed: Uint8Array;
  readonly signals: Float64Array;
  readonly lastCheck: Float64Array;
  readonly host: Int32Array;
  readonly hosts: number;
  readonly names: readonly null[];
  /** By page: the rate of its own changes. */
  readonly ownRate: Float64Array;
  /** When the host was edited. */
  readonly editTimes: readonly number[];
}

/** Moments of a Poisson process up to an end. */
function moments(rate: number, end: number, random: Random): number[] {
  const times: number[] = [];
  for (let t = standardExponential(random) / rate; t < end; t += standardExponential(random) / rate) times.push(t);
  return times;
}

export function watchSite(model: SiteModel, random: Random): SeenSite {
  const { pages, checks, rate, spread, precision, recall, edits, touched, editsSignalled } = model;
  const offsets = Uint32Array.from({ length: pages + 1 }, (_, i) => i * checks);
  const elapsed = new Float64Array(pages * checks).map(() => 0.3 + 1.4 * random());
  const changed = new Uint8Array(pages * checks);
  const signals = new Float64Array(pages * checks);
  const ownRate = new Float64Array(pages).map(() => rate * Math.exp(spread * standardNormal(random)));
  const end = 1.7 * checks + 1;
  const editTimes = edits > 0 ? moments(edits, end, random) : [];
  const lastCheck = new Float64Array(pages);
  for (let i = 0; i < pages; i++) {
    const changes = moments(ownRate[i], end, random).map((time) => ({ time, signalled: random() < recall }));
    for (const time of editTimes) if (random() < touched) changes.push({ time, signalled: editsSignalled });
    const wrong = moments((ownRate[i] * recall * (1 - precision)) / precision, end, random);
    let time = random();
    for (let k = i * checks; k < (i + 1) * checks; k++) {
      const from = time;
      time += elapsed[k];
      const seen = changes.filter((change) => change.time > from && change.time <= time);
      changed[k] = seen.length > 0 ? 1 : 0;
      signals[k] = seen.filter(({ signalled }) => signalled).length + wrong.filter((t) => t > from && t <= time).length;
    }
    lastCheck[i] = time;
  }
  return {
    offsets,
    elapsed,
    changed,
    signals,
    lastCheck,
    host: new Int32Array(pages),
    hosts: 1,
    names: [null],
    ownRate,
    editTimes,
  };
}

/** A host drawn at random; every second one has edits of the whole host. */
export function anySite(run: number, random: Random): SiteModel {
  return {
    pages: 12 + Math.floor(30 * random()),
    checks: 10 + Math.floor(30 * random()),
    rate: 0.03 * 10 ** random(),
    spread: 1.2 * random(),
    precision: 0.2 + 0.7 * random(),
    recall: 0.3 + 0.6 * random(),
    edits: run % 2 === 0 ? 0.02 * 10 ** random() : 0,
    touched: 0.6 + 0.4 * random(),
    editsSignalled: random() < 0.5,
  };
}
