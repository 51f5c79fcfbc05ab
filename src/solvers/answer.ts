/** The parts that the answers of all solvers share: status, objective with its gap, warnings, conflict. */

/**
 * `optimal`: proved to the stated tolerance. `feasible`: a limit or a heuristic stopped the solver, and the gap says
 * how far from the bound it can be. `infeasible`: no solution exists, and a conflict says why. `evaluated`: a policy of
 * the caller's was only evaluated.
 */
export type Status = 'optimal' | 'feasible' | 'infeasible' | 'evaluated';

/**
 * The value at the answer, a bound that no answer can beat (null where unknown), and the relative distance between
 * them.
 */
export interface Objective {
  readonly value: number;
  readonly bound: number | null;
  readonly gap: number | null;
}

/** Something to know before relying on an answer. */
export interface Warning {
  /** Stable kebab-case code. */
  readonly code: string;
  readonly detail: string;
  /** JSON pointer into the request, where the warning is about one value. */
  readonly pointer?: string | undefined;
}

/** Why no solution exists: the requirements that clash, with the numbers. */
export interface Conflict {
  readonly detail: string;
}

/**
 * Largest distance of `value` from the best, relative to what no answer can beat: (value − bound)/max(|bound|, 1e−12).
 */
export function relativeGap(value: number, bound: number): number {
  return (value - bound) / Math.max(Math.abs(bound), 1e-12);
}

/** The objective with its gap, from a value and what no solution can beat. */
export function objective(value: number, bound: number | null): Objective {
  return { value, bound, gap: bound === null ? null : relativeGap(value, bound) };
}

/** The objective of an answer, and its status: `optimal` where it is proved to be within a relative gap of the best. */
export function provedWithin(gap: number, value: number, bound: number | null) {
  const answerObjective = objective(value, bound);
  const status = answerObjective.gap !== null && answerObjective.gap <= gap ? 'optimal' : 'feasible';
  return { status, objective: answerObjective } as const;
}

/** A warning; `path` leads to the value it is about, through property names and positions of the request. */
export function warning(code: string, detail: string, path?: readonly (string | number)[]): Warning {
  return path === undefined ? { code, detail } : { code, detail, pointer: path.map((step) => `/${step}`).join('') };
}
