/**
 * The checks of one page as sums over distinct gaps, for the likelihood of change-likelihood.ts. Equal gaps are pooled as
 * they come, so a page checked regularly costs the same however long its history.
 */
import { type CheckHistory, changedAtKnownAge, changedOutcome, unchangedOutcome } from './check-history.ts';

/** The pooled checks of one page; loaded anew for each page. */
export class PooledChecks {
  /** Distinct gaps that ended in a change, with their weights. */
  protected gaps = new Float64Array(64);
  protected weights = new Float64Array(64);
  protected groups = 0;
  /** Distinct gaps of all checks, with their weights: loaded only for the expected information. */
  protected allGaps = new Float64Array(64);
  protected allWeights = new Float64Array(64);
  /** Part of each weight in `allWeights` that belongs to checks that saw a change. */
  protected allChanged = new Float64Array(64);
  protected allGroups = 0;
  /** Sum of the weights of the changes of known age. */
  protected knownAgeWeight = 0;
  /** T: time without a change, ages included, plus the prior's rate. */
  exposure = 0;
  /** m: changes of known age plus the prior's shape. */
  logCoefficient = 0;
  /** Sum of the weights of the changes. */
  changes = 0;
  /** Weighted total length of all gaps. */
  span = 0;
  shortestGap = Number.POSITIVE_INFINITY;

  /**
   * Loads the checks from..to−1. `weights` by check (null: 1 each). With `forInformation` the gaps of all checks are
   * pooled as well.
   */
  load(history: CheckHistory, from: number, to: number, weights: Float64Array | null, forInformation: boolean): void {
    if (to - from >= this.gaps.length) {
      const size = 2 * (to - from);
      this.gaps = new Float64Array(size);
      this.weights = new Float64Array(size);
      this.allGaps = new Float64Array(size);
      this.allWeights = new Float64Array(size);
      this.allChanged = new Float64Array(size);
    }
    const { elapsed, outcome } = history;
    const gaps = this.gaps;
    const groupWeights = this.weights;
    let groups = 0;
    let exposure = 0;
    let knownAgeWeight = 0;
    let changes = 0;
    let span = 0;
    let shortest = Number.POSITIVE_INFINITY;
    for (let k = from; k < to; k++) {
      const gap = elapsed[k];
      const weight = weights === null ? 1 : weights[k];
      const result = outcome[k];
      span += weight * gap;
      if (gap < shortest) shortest = gap;
      if (result === unchangedOutcome) {
        exposure += weight * gap;
      } else if (result === changedAtKnownAge) {
        exposure += weight * gap;
        knownAgeWeight += weight;
        changes += weight;
      } else {
        changes += weight;
        if (groups > 0 && gaps[groups - 1] === gap) groupWeights[groups - 1] += weight;
        else {
          gaps[groups] = gap;
          groupWeights[groups++] = weight;
        }
      }
    }
    this.groups = groups;
    this.exposure = exposure;
    this.knownAgeWeight = knownAgeWeight;
    this.logCoefficient = knownAgeWeight;
    this.changes = changes;
    this.span = span;
    this.shortestGap = shortest;
    this.allGroups = 0;
    if (forInformation) this.#poolAll(history, from, to, weights);
  }

  #poolAll({ elapsed, outcome }: CheckHistory, from: number, to: number, weights: Float64Array | null): void {
    let groups = 0;
    for (let k = from; k < to; k++) {
      if (outcome[k] === changedAtKnownAge) continue;
      const weight = weights === null ? 1 : weights[k];
      const own = outcome[k] === changedOutcome ? weight : 0;
      if (groups > 0 && this.allGaps[groups - 1] === elapsed[k]) {
        this.allWeights[groups - 1] += weight;
        this.allChanged[groups - 1] += own;
      } else {
        this.allGaps[groups] = elapsed[k];
        this.allChanged[groups] = own;
        this.allWeights[groups++] = weight;
      }
    }
    this.allGroups = groups;
  }

  /** Adds a gamma prior of shape a₀ and rate b₀ (a density in ln λ: λ^{a₀}e^{−b₀λ}). */
  addPrior(shape: number, rate: number): void {
    this.logCoefficient += shape;
    this.exposure += rate;
  }

  /**
   * For a page without a change: adds half a change, shared out over the checks in proportion to their gaps. Needs the
   * checks loaded with `forInformation`.
   */
  spreadHalfAChange(): void {
    let removedTime = 0;
    for (let g = 0; g < this.allGroups; g++) {
      const share = (0.5 * this.allWeights[g] * this.allGaps[g]) / this.span;
      this.gaps[g] = this.allGaps[g];
      this.weights[g] = share;
      this.allChanged[g] = share;
      removedTime += share * this.allGaps[g];
    }
    this.groups = this.allGroups;
    this.exposure -= removedTime;
    this.changes = 0.5;
  }

  /**
   * For a page on which every check saw a change: removes half a change. The half check without a change that replaces
   * it is in the information term.
   */
  withholdHalfAChange(): void {
    const keep = (this.changes - 0.5) / this.changes;
    for (let g = 0; g < this.groups; g++) this.weights[g] *= keep;
    for (let g = 0; g < this.allGroups; g++) this.allChanged[g] *= keep;
  }
}
