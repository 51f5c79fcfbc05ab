/** What a cycle costs by sums over its signals, against the tables that plans read. */
import { gaussLegendre, integrateBy } from '../../../../src/solvers/numerics/quadrature/gauss-legendre.ts';
import { lowerGamma, poissonTerm } from '../../../../src/solvers/numerics/special/incomplete-gamma.ts';
import { levelCost, type SignalMotion } from '../../../../src/solvers/pages/signals/index.ts';

const rule = gaussLegendre(8);
/** Panels of a cycle's time, each of them integrated by the rule. */
const panels = 16;

/**
 * The mean over a cycle of ∫ c(y), the level starting at 0: what the cycle costs, fetched at `longest` at the latest.
 */
export function cycleCost(motion: SignalMotion, level: number, longest = Infinity): number {
  const { drift, signals, jump, objective } = motion;
  if (!(level > 0)) return 0;
  let sum = 0;
  // Σ_k ∫ Poisson(k; γt) c(δt + kj) dt, with closed forms but for harmonic
  for (let k = 0; k === 0 || (signals > 0 && k * jump < level); k++) {
    const end = Math.min((k === 0 ? level : level - k * jump) / drift, longest);
    const share = signals > 0 ? lowerGamma(k + 1, signals * end) : 1;
    const from = k === 0 ? 0 : k * jump;
    if (objective === 'harmonic')
      sum += quadrature((t) => poissonTerm(k, signals * t) * levelCost(motion, drift * t + from), end);
    else if (signals === 0)
      sum += objective === 'delay' ? 0.5 * drift * end * end : end + Math.expm1(-drift * end) / drift;
    else if (objective === 'delay') {
      sum += (drift * (k + 1) * lowerGamma(k + 2, signals * end)) / signals ** 2 + (from * share) / signals;
    } else {
      const both = signals + drift;
      sum += share / signals - (Math.exp(-from) * (signals / both) ** k * lowerGamma(k + 1, both * end)) / both;
    }
    if (share < 1e-17) break;
  }
  return sum;
}

/** ∫₀ᵗ f. */
function quadrature(f: (at: number) => number, end: number): number {
  const width = end / panels;
  let sum = 0;
  for (let panel = 0; panel < panels; panel++) sum += integrateBy(rule, f, panel * width, (panel + 1) * width);
  return sum;
}
