/**
 * First passages upward: from each level below a reference level, the law of the first state above it and the rewards
 * gathered on the way. With them relative values are referred to a level where the queue is most of the time. Under
 * heavy load, an empty system is so rare that values referred to it keep no digits.
 *
 * For level s, U_{s,l} (n×n) is the law of the first exit from {0..s} into level s + l, l = 1..k_max, and V_s the
 * rewards. With the levels below eliminated, the rates inside level s are Q_ss + Q_{s,s−1}·U_{s−1,1}, and U_{s,l} =
 * (−that)⁻¹(Q_{s,s+l} + Q_{s,s−1}·U_{s−1,l+1}). No subtraction anywhere. O(L·k_max·n³), memory O(L·k_max·n²).
 */
import type { Poll } from '../../../budget.ts';
import { solveByStateReduction } from '../../../numerics/linear/small-matrices.ts';
import { meanOfPhaseType } from '../../../queue/phase-type.ts';
import { blockSize, obsolescenceRate, type Queue } from '../../../queue/queue.ts';
import { addDownProduct, addServiceRates } from '../../evaluate/chain/stationary.ts';
import type { Rewards } from '../../evaluate/memoryless/rewards.ts';

/** How much likelier than the empty system a level must be to become the reference: e to this power. */
const clearlyLikelier = 12;

/** The level to refer values to: 0, or the likeliest level of a birth-and-death queue of the same mean rates. */
export function likeliestLevel(queue: Queue, modes: Uint8Array): number {
  const n = blockSize(queue);
  const serviceRate = 1 / meanOfPhaseType(queue.service);
  const expiry = obsolescenceRate(queue);
  let [log, best, at] = [0, 0, 0];
  for (let level = 0; level < queue.capacity; level++) {
    let arrivals = 0;
    for (let i = level * n; i < (level + 1) * n; i++) arrivals += queue.modes[modes[i]].arrivalRate / n;
    log += Math.log(arrivals / (serviceRate + level * expiry));
    if (log > best) [best, at] = [log, level + 1];
  }
  return best > clearlyLikelier ? at : 0;
}

export class UpwardPassages {
  readonly #queue: Queue;
  readonly #rewards: Rewards;
  readonly #poll: Poll;
  readonly #n: number;
  /** Columns of a passage: n phases for each of k_max levels, then the rewards. */
  readonly #width: number;
  #passages = new Float64Array(0);
  readonly #right: Float64Array;
  readonly #rates: Float64Array;
  readonly #exit: Float64Array;

  constructor(queue: Queue, rewards: Rewards, poll: Poll) {
    this.#queue = queue;
    this.#rewards = rewards;
    this.#poll = poll;
    this.#n = blockSize(queue);
    this.#width = queue.largestBatch * this.#n + rewards.columns;
    this.#right = new Float64Array(this.#n * this.#width);
    this.#rates = new Float64Array(this.#n * this.#n);
    this.#exit = new Float64Array(this.#n);
  }

  /** Computes the passages of the levels below `reference`, for the modes of a policy. */
  prepare(modes: Uint8Array, reference: number): void {
    const n = this.#n;
    const width = this.#width;
    const reach = width - this.#rewards.columns;
    const cells = reference * n * width;
    if (this.#passages.length < cells) this.#passages = new Float64Array(cells);
    for (let level = 0; level < reference; level++) {
      this.#poll(n * n * width);
      const right = this.#right;
      const rates = this.#rates;
      right.fill(0);
      rates.fill(0);
      if (level > 0) {
        this.throughBelow(level, right);
        addServiceRates(this.#queue, rates);
        for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) rates[i * n + j] += right[i * width + j];
        this.#shift(right);
      }
      for (let i = 0; i < n; i++) this.#addOwn(modes, level, i);
      for (let i = 0; i < n; i++) {
        let exit = 0;
        for (let c = 0; c < reach; c++) exit += right[i * width + c];
        this.#exit[i] = exit;
      }
      solveByStateReduction(rates, this.#exit, right, n, width);
      this.#passages.set(right, level * n * width);
    }
  }

  get width(): number {
    return this.#width;
  }

  /**
   * out (n×width) := Q_{level,level−1}·(passages of the level below): where excursions below end, and their rewards.
   */
  throughBelow(level: number, out: Float64Array): void {
    out.fill(0);
    addDownProduct(this.#queue, level, out, 0, this.#passages, (level - 1) * this.#n * this.#width, this.#width);
  }

  /**
   * Of excursions below, those that end above: columns move down by one level, since they count from the level below.
   */
  #shift(through: Float64Array): void {
    const n = this.#n;
    const reach = this.#width - this.#rewards.columns;
    for (let i = 0; i < n; i++) {
      const row = i * this.#width;
      through.copyWithin(row, row + n, row + reach);
      through.fill(0, row + reach - n, row + reach);
    }
  }

  /** Values below the reference level, from those of the levels from there on. */
  spread(values: Float64Array, reference: number, weigh: (data: Float64Array, at: number) => number): void {
    const n = this.#n;
    const reach = this.#width - this.#rewards.columns;
    for (let level = reference - 1; level >= 0; level--) {
      const columns = Math.min(reach, (this.#queue.topLevel - level) * n);
      for (let i = 0; i < n; i++) {
        const row = (level * n + i) * this.#width;
        let value = weigh(this.#passages, row + reach);
        for (let c = 0; c < columns; c++) value += this.#passages[row + c] * values[(level + 1) * n + c];
        values[level * n + i] = value;
      }
    }
  }

  /** The state's own moves, inside the level and up, and its rewards. */
  #addOwn(modes: Uint8Array, level: number, state: number): void {
    const { arrivalPhases, arrivals, service } = this.#queue;
    const n = this.#n;
    const m = state % service.phases;
    const from = (state - m) / service.phases;
    const mode = modes[level * n + state];
    const { blocks } = arrivals[mode][level];
    for (let to = 0; to < arrivalPhases; to++) {
      const column = to * service.phases + m;
      this.#rates[state * n + column] += blocks[0][from * arrivalPhases + to];
      for (let step = 1; step < blocks.length; step++) {
        this.#right[state * this.#width + (step - 1) * n + column] += blocks[step][from * arrivalPhases + to];
      }
    }
    const { columns, table } = this.#rewards;
    const reach = this.#width - columns;
    for (let c = 0; c < columns; c++) {
      this.#right[state * this.#width + reach + c] += table[mode][level][state * columns + c];
    }
  }
}
