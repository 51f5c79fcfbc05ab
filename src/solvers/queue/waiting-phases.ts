/**
 * The obsolescence law in the form that chains of waiting pages want. Where that is possible no phase is entered twice
 * (acyclic), and phases are ordered so that they only lead forward.
 *
 * Two phases: every law of order two is, with g₊ ≥ g₋ the negated eigenvalues of Γ and f(0) = γΓ0 its density at 0,
 *   - hyperexponential with rates g₊, g₋ when f(0) ≥ g₋: P(X > t) = u₊e^(−g₊t) + u₋e^(−g₋t), u₊ = (f(0) − g₋)/(g₊ − g₋);
 *   - else Coxian: phase 1 of rate g₊, then with probability 1 − f(0)/g₊ phase 2 of rate g₋,
 * since its transform is (f(0)s + g₊g₋)/((s + g₊)(s + g₋)). The queue's law depends on the obsolescence law only, so
 * this changes no measure. It replaces the eigenbasis of Γ by one in which all coordinates are probabilities.
 * More phases: reordered when acyclic, else left as they are. Phases of equal rate and fate are not merged.
 *
 * Source: Cumani (1982), "On the canonical representation of homogeneous Markov processes modelling failure-time
 * distributions".
 */
import type { PhaseType } from './queue.ts';

/** The same law, acyclic where possible. */
export function acyclicForm(law: PhaseType): PhaseType {
  if (law.phases === 2) return ofOrderTwo(law);
  const order = forwardOrder(law);
  return order === null ? law : reordered(law, order);
}

function ofOrderTwo({ initial, generator, exit }: PhaseType): PhaseType {
  const [a, b, c, d] = [-generator[0], generator[1], generator[2], -generator[3]];
  const fast = (a + d + Math.sqrt((a - d) ** 2 + 4 * b * c)) / 2;
  // det(−Γ) without subtraction: a = b + exit_1, d = c + exit_2.
  const slow = (b * exit[1] + exit[0] * c + exit[0] * exit[1]) / fast;
  const atZero = initial[0] * exit[0] + initial[1] * exit[1];
  if (atZero >= slow && fast > slow) {
    const share = Math.min(1, (atZero - slow) / (fast - slow));
    return {
      phases: 2,
      initial: new Float64Array([share, 1 - share]),
      generator: new Float64Array([-fast, 0, 0, -slow]),
      exit: new Float64Array([fast, slow]),
    };
  }
  const ends = Math.min(fast, atZero);
  return {
    phases: 2,
    initial: new Float64Array([1, 0]),
    generator: new Float64Array([-fast, fast - ends, 0, -slow]),
    exit: new Float64Array([ends, slow]),
  };
}

/** Phases in an order in which they only lead forward, or null when some are entered again. */
function forwardOrder({ phases, generator }: PhaseType): number[] | null {
  const order: number[] = [];
  const placed = new Set<number>();
  while (order.length < phases) {
    let next = -1;
    for (let phase = 0; phase < phases && next < 0; phase++) {
      if (placed.has(phase)) continue;
      let first = true;
      for (let from = 0; from < phases; from++) {
        if (from !== phase && !placed.has(from) && generator[from * phases + phase] > 0) first = false;
      }
      if (first) next = phase;
    }
    if (next < 0) return null;
    placed.add(next);
    order.push(next);
  }
  return order;
}

function reordered({ phases, initial, generator, exit }: PhaseType, order: readonly number[]): PhaseType {
  return {
    phases,
    initial: Float64Array.from(order, (phase) => initial[phase]),
    generator: Float64Array.from(order.flatMap((row) => order.map((column) => generator[row * phases + column]))),
    exit: Float64Array.from(order, (phase) => exit[phase]),
  };
}
