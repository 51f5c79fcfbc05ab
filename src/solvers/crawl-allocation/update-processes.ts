/**
 * The update processes of a list of pages, gathered one page at a time into typed arrays.
 *
 * Laws that differ only by a factor of time share one entry. Any other law is shared by pages that give exactly the same
 * parameters. Checks what the model asks of a process: a renewal process has an equilibrium only if its mean gap is
 * finite and positive.
 */
import { ConditionNotMet } from '../condition.ts';
import { asLomax, type Distribution, type ScaledForm, scaledForm } from '../laws/index.ts';
import { lomaxProcess, poissonProcess, quasiDeterministicProcess, renewalProcess } from './gains/page-gain.ts';
import { type GapLaw, prepareGapLaw } from './gains/renewal-kernel.ts';

type Path = readonly (string | number)[];

/** Times and their ratios beyond this, or below its inverse, would overflow on the way. */
export const maxTime = 1e100;

const tooVariable = 'the gaps are too variable to compute with: choose parameters nearer to 1, or another law';

/** The possible updates of a page: their times, and the probability of each. */
interface QuasiDeterministicUpdates {
  readonly times: ArrayLike<number>;
  readonly probabilities: ArrayLike<number>;
  /** Probability that the copy is stale at the start; NaN: it follows from the last crawl. */
  readonly staleAtStart: number;
  /** Length of the interval; the times lie within 0..interval. */
  readonly interval: number;
}

/**
 * The update process of every page. For a quasi-deterministic page `meanGap` is NaN and `entry` its position in
 * `quasi`. Where all pages are Poisson, `alpha` and `entry` are empty.
 */
export class UpdateProcesses {
  readonly count: number;
  readonly process: Uint8Array;
  readonly meanGap: Float64Array;
  alpha = new Float64Array(0);
  entry = new Int32Array(0);
  readonly laws: GapLaw[] = [];
  readonly quasi = new QuasiColumns();
  private readonly byShape = new Map<string, Map<number, number>>();
  private readonly byText = new Map<string, number>();
  private checkedLaws = 0;

  constructor(count: number) {
    this.count = count;
    this.process = new Uint8Array(count);
    this.meanGap = new Float64Array(count).fill(Number.NaN);
  }

  setPoisson(i: number, rate: number, path: Path): void {
    this.process[i] = poissonProcess;
    this.setMean(i, 1 / rate, path);
  }

  /** Sets a Poisson process without a check: the rate must lie between 1/maxTime and maxTime. */
  setPlainPoisson(i: number, rate: number): void {
    this.process[i] = poissonProcess;
    this.meanGap[i] = 1 / rate;
  }

  /** Sets Lomax gaps: P(gap > t) = (scale/(scale + t))^shape. */
  setLomax(i: number, shape: number, scale: number, path: Path): void {
    this.process[i] = lomaxProcess;
    if (this.alpha.length === 0) this.alpha = new Float64Array(this.count);
    this.alpha[i] = shape;
    this.setMean(i, scale / (shape - 1), path);
  }

  setRenewal(i: number, distribution: Distribution, path: Path): void {
    if (distribution.type === 'exponential') {
      this.setPoisson(i, distribution.rate, path);
      return;
    }
    const tail = asLomax(distribution);
    if (tail !== null) {
      this.setLomax(i, tail.shape, tail.scale, path);
      return;
    }
    const unitForm = scaledForm(distribution);
    if (unitForm !== null) {
      this.setLaw(i, this.shapeSlot(unitForm), unitForm.scale, path);
      return;
    }
    const text = JSON.stringify(distribution);
    let entry = this.byText.get(text);
    if (entry === undefined) {
      entry = this.laws.push(prepareGapLaw(distribution)) - 1;
      this.byText.set(text, entry);
    }
    this.setLaw(i, entry, 1, path);
  }

  /** Sets the possible updates of a page. Refuses times that do not increase or lie outside of the interval. */
  setQuasiDeterministic(
    i: number,
    { times, probabilities, staleAtStart, interval }: QuasiDeterministicUpdates,
    path: (name: 'times' | 'probabilities') => Path,
  ): void {
    if (times.length !== probabilities.length) {
      const message = `must have one probability a time: got ${probabilities.length} for ${times.length} times`;
      throw new ConditionNotMet(path('probabilities'), 'unequal-lengths', message);
    }
    for (let j = 0; j < times.length; j++) {
      const time = times[j];
      if (!(time >= 0 && time <= interval)) {
        const message = `an update time must be within the interval, 0 to ${interval}; got ${time}`;
        throw new ConditionNotMet([...path('times'), j], 'outside-interval', message);
      }
      if (j > 0 && !(time > times[j - 1])) {
        const message = `update times must increase; got ${time} after ${times[j - 1]}`;
        throw new ConditionNotMet([...path('times'), j], 'not-increasing', message);
      }
    }
    this.setEntry(i, quasiDeterministicProcess, this.quasi.push(times, probabilities, staleAtStart));
  }

  private setLaw(i: number, entry: number, scale: number, path: Path): void {
    if (entry >= this.checkedLaws) {
      const { law, mean } = this.laws[entry];
      if (!(law.truncatedMean(mean) > 0 && law.truncatedSecondMoment(mean) > 0)) {
        throw new ConditionNotMet(path, 'too-variable', tooVariable);
      }
      this.checkedLaws = entry + 1;
    }
    this.setEntry(i, renewalProcess, entry);
    this.setMean(i, this.laws[entry].mean * scale, path);
  }

  private setEntry(i: number, process: number, entry: number): void {
    this.process[i] = process;
    if (this.entry.length === 0) this.entry = new Int32Array(this.count);
    this.entry[i] = entry;
  }

  private setMean(i: number, mean: number, path: Path): void {
    if (!(mean >= 1 / maxTime && mean <= maxTime)) {
      const message = `the mean time between updates must be between ${1 / maxTime} and ${maxTime}; it comes to ${mean}`;
      throw new ConditionNotMet(path, 'mean-out-of-range', message);
    }
    this.meanGap[i] = mean;
  }

  private shapeSlot({ shape, unit }: ScaledForm): number {
    let entries = this.byShape.get(unit.type);
    if (entries === undefined) {
      entries = new Map();
      this.byShape.set(unit.type, entries);
    }
    let entry = entries.get(shape);
    if (entry === undefined) {
      entry = this.laws.push(prepareGapLaw(unit)) - 1;
      entries.set(shape, entry);
    }
    return entry;
  }
}

/**
 * Quasi-deterministic pages one after the other in growing arrays: page k has times[offsets[k]..offsets[k + 1] − 1].
 */
class QuasiColumns {
  count = 0;
  offsets = new Int32Array(64);
  times = new Float64Array(256);
  probabilities = new Float64Array(256);
  staleAtStart = new Float64Array(64);

  push(times: ArrayLike<number>, probabilities: ArrayLike<number>, staleAtStart: number): number {
    const entry = this.count++;
    const at = this.offsets[entry];
    const end = at + times.length;
    if (entry + 2 > this.offsets.length) {
      this.offsets = copyInto(this.offsets, new Int32Array(2 * entry + 4));
      this.staleAtStart = copyInto(this.staleAtStart, new Float64Array(2 * entry + 4));
    }
    if (end > this.times.length) {
      this.times = copyInto(this.times, new Float64Array(2 * end));
      this.probabilities = copyInto(this.probabilities, new Float64Array(2 * end));
    }
    this.times.set(times, at);
    this.probabilities.set(probabilities, at);
    this.staleAtStart[entry] = staleAtStart;
    this.offsets[entry + 1] = end;
    return entry;
  }
}

function copyInto<A extends Int32Array | Float64Array>(from: A, to: A): A {
  to.set(from);
  return to;
}

/**
 * Refuses laws whose moments leave double precision, which shows only in the staleness they give.
 *
 * @param staleness by page
 * @throws ConditionNotMet `too-variable`, at the first page without a finite staleness
 */
export function refuseUncomputable(staleness: Float64Array): void {
  for (let page = 0; page < staleness.length; page++) {
    if (!Number.isFinite(staleness[page])) throw new ConditionNotMet(['pages', page], 'too-variable', tooVariable);
  }
}
