/**
 * A contest: an operation against the shortest honest rules for its question, over a grid of families of instances.
 *
 * A rule shares no code with the solver, and the contest computes its value of the same objective. An answer with a larger
 * value than a rule shows that the service did worse than ten lines.
 */

/** One instance: the request to the operation, and the values of the rules. */
export interface Instance {
  /** The family, as axis → value: `{pages: '1000', ages: 'overdue'}`. */
  readonly axes: Readonly<Record<string, string>>;
  /** Solves the instance by the service's own function. */
  solve(): Outcome;
  /** Rules by name; null where a rule does not apply. */
  readonly rules: Readonly<Record<string, () => number | null>>;
}

export interface Outcome {
  readonly value: number;
  /** (value − bound)/bound; null for an answer without a bound. */
  readonly gap: number | null;
  /** The value as the contest computes it, if it can; it must equal the answer's. */
  readonly recomputed?: number;
}

export interface Contest {
  readonly operation: string;
  /** Instances of the whole grid, or of a small part of it that runs in seconds. */
  instances(size: 'grid' | 'part', seed: number): readonly Instance[];
}

/** The result of one instance. */
export interface Result {
  readonly axes: Readonly<Record<string, string>>;
  readonly value: number;
  readonly gap: number | null;
  /** The best rule, its value, and the answer's excess over it: value/best − 1; null where no rule applies. */
  readonly rule: string;
  readonly best: number;
  readonly excess: number | null;
  /** Processor time of the answer, ms. */
  readonly ms: number;
}

/** Plays one instance. @throws Error if the answer's value differs from the contest's */
export function play({ axes, solve, rules }: Instance): Result {
  const startUsage = process.cpuUsage();
  const { value, gap, recomputed: recomputedValue } = solve();
  const { user, system } = process.cpuUsage(startUsage);
  if (recomputedValue !== undefined && Math.abs(recomputedValue - value) > 1e-6 * Math.abs(value)) {
    throw new Error(`${JSON.stringify(axes)}: the answer costs ${recomputedValue}, and says ${value}`);
  }
  let rule = 'none';
  let best = Number.POSITIVE_INFINITY;
  for (const [name, run] of Object.entries(rules)) {
    const ruleValues = run();
    if (ruleValues !== null && ruleValues < best) [rule, best] = [name, ruleValues];
  }
  const excess = best < Number.POSITIVE_INFINITY ? value / best - 1 : null;
  return { axes, value, gap, rule, best, excess, ms: (user + system) / 1000 };
}
