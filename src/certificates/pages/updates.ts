/**
 * How pages change, read from a request: `changeRate`, `updates`, or the columns `process` with its parameters.
 *
 * Every page is a Poisson process, a renewal process of any law, or a list of possible times.
 */
import { createLaw, type Distribution, type Law, thinnedLaw } from '../../solvers/laws/index.ts';
import { lawIn } from '../laws.ts';
import { isObject, numberIn, numbersIn, textIn, Unreadable, type WireObject, type WireTable } from '../wire.ts';

/** What a certificate asks of the law of gaps between updates. */
export interface GapMoments {
  readonly law: Pick<Law, 'mean' | 'truncatedMean' | 'truncatedSecondMoment'>;
  readonly mean: number;
}

/** The update processes of a list of pages; typed arrays are by page unless said otherwise. */
export interface Updates {
  /** 0: Poisson, 2: renewal, 3: quasi-deterministic. */
  readonly process: Uint8Array;
  /** Mean time between updates; NaN for quasi-deterministic pages. */
  readonly meanGap: Float64Array;
  /** Position in `laws`, or among the quasi-deterministic pages. */
  readonly slot: Int32Array;
  readonly laws: readonly GapMoments[];
  /** Possible updates of quasi-deterministic page k: offsets[k]..offsets[k+1]−1; `staleAtStart` NaN where not given. */
  readonly quasi: {
    readonly offsets: Int32Array;
    readonly times: Float64Array;
    readonly probabilities: Float64Array;
    readonly staleAtStart: Float64Array;
  };
}

export const poisson = 0;
export const renewal = 2;
export const quasiDeterministic = 3;

/** The columns that hold one parameter of a law each. */
const parameterColumns = ['rate', 'shape', 'scale', 'mu', 'sigma', 'value', 'times', 'probabilities', 'staleAtStart'];

export function updatesOf(pages: WireTable): Updates {
  const gathered = new Gathered(pages.length);
  const [rates, given, processes] = ['changeRate', 'updates', 'process'].map((name) => pages.values(name));
  const cells = parameterColumns.map((name) => [name, pages.values(name)] as const);
  for (let i = 0; i < pages.length; i++) {
    const rate = rates[i];
    const updates = given[i];
    if (typeof rate === 'number') gathered.addPoisson(i, rate);
    else if (isObject(updates)) gathered.add(i, updates);
    else if (typeof processes[i] === 'string') {
      gathered.add(
        i,
        fromColumns(String(processes[i]), Object.fromEntries(cells.map(([name, all]) => [name, all[i]]))),
      );
    } else throw new Unreadable(`page ${i} must have changeRate, updates or process`);
  }
  return gathered.updates();
}

function fromColumns(process: string, cells: WireObject): WireObject {
  if (process === 'poisson' || process === 'quasi-deterministic') return { ...cells, type: process };
  return { type: 'renewal', distribution: { ...cells, type: process } };
}

class Gathered {
  readonly #process: Uint8Array;
  readonly #meanGap: Float64Array;
  readonly #slot: Int32Array;
  readonly #laws: GapMoments[] = [];
  readonly #known = new Map<string, number>();
  readonly #offsets = [0];
  readonly #times: number[] = [];
  readonly #probabilities: number[] = [];
  readonly #staleAtStart: number[] = [];

  constructor(count: number) {
    this.#process = new Uint8Array(count);
    this.#meanGap = new Float64Array(count).fill(Number.NaN);
    this.#slot = new Int32Array(count);
  }

  addPoisson(i: number, rate: number): void {
    this.#process[i] = poisson;
    this.#meanGap[i] = 1 / rate;
  }

  add(i: number, updates: WireObject): void {
    const type = textIn(updates, 'type');
    const matters = numberIn(updates, 'matters', 1);
    if (type === 'poisson') this.addPoisson(i, numberIn(updates, 'rate') * matters);
    else if (type === 'renewal') this.#addRenewal(i, lawIn(updates, 'distribution'), matters);
    else if (type === 'quasi-deterministic') this.#addTimes(i, updates);
    else throw new Unreadable(`page ${i} changes in an unknown way, ${type}`);
  }

  #addRenewal(i: number, distribution: Distribution, matters: number): void {
    const text = JSON.stringify([distribution, matters]);
    let slot = this.#known.get(text);
    if (slot === undefined) {
      const gap = createLaw(distribution);
      const law = matters < 1 ? thinnedLaw(gap, matters) : gap;
      slot = this.#laws.push({ law, mean: law.mean }) - 1;
      this.#known.set(text, slot);
    }
    this.#process[i] = renewal;
    this.#slot[i] = slot;
    this.#meanGap[i] = this.#laws[slot].mean;
  }

  #addTimes(i: number, updates: WireObject): void {
    this.#process[i] = quasiDeterministic;
    this.#slot[i] = this.#offsets.length - 1;
    this.#times.push(...numbersIn(updates, 'times'));
    this.#probabilities.push(...numbersIn(updates, 'probabilities'));
    if (this.#times.length !== this.#probabilities.length)
      throw new Unreadable(`page ${i} has a time without a chance`);
    this.#offsets.push(this.#times.length);
    this.#staleAtStart.push(numberIn(updates, 'staleAtStart', Number.NaN));
  }

  updates(): Updates {
    return {
      process: this.#process,
      meanGap: this.#meanGap,
      slot: this.#slot,
      laws: this.#laws,
      quasi: {
        offsets: Int32Array.from(this.#offsets),
        times: Float64Array.from(this.#times),
        probabilities: Float64Array.from(this.#probabilities),
        staleAtStart: Float64Array.from(this.#staleAtStart),
      },
    };
  }
}
