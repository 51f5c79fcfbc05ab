import { type Deterministic, deterministicLaw } from './families/deterministic.ts';
import { type Empirical, empiricalLaw } from './families/empirical.ts';
import { type Exponential, exponentialLaw } from './families/exponential.ts';
import { type Erlang, type Gamma, gammaLaw } from './families/gamma.ts';
import { type Hyperexponential, hyperexponentialLaw } from './families/hyperexponential.ts';
import { type Lognormal, lognormalLaw } from './families/lognormal.ts';
import { type Lomax, lomaxLaw } from './families/lomax.ts';
import { type Pareto, paretoLaw } from './families/pareto.ts';
import { type PhaseType, phaseTypeLaw } from './families/phase-type.ts';
import { type Uniform, uniformLaw } from './families/uniform.ts';
import { type Weibull, weibullLaw } from './families/weibull.ts';
import type { LawWithLogLaplace } from './law.ts';

/**
 * The laws of a nonnegative time, as plain data: what a caller writes and what every solver is given. Times are in the
 * caller's unit, rates per that unit. The conditions stand beside each law; they are checked where data enters.
 */
export type Distribution =
  | Deterministic
  | Exponential
  | Erlang
  | Gamma
  | Hyperexponential
  | Uniform
  | Lognormal
  | Weibull
  | Pareto
  | Lomax
  | PhaseType
  | Empirical;

/**
 * The law that a distribution stands for. Its conditions must have been checked.
 *
 * Cost: O(1) to build and to evaluate, with two exceptions. Empirical laws take O(n log n) to build, O(n) a transform,
 * else O(log n). Phase-type laws with p phases take O(p³) to build, O(p³) a transform, O(p²) a survival or truncated
 * moment after up to ~100 products of p³.
 */
export function createLaw(distribution: Distribution): LawWithLogLaplace {
  switch (distribution.type) {
    case 'deterministic':
      return deterministicLaw(distribution);
    case 'exponential':
      return exponentialLaw(distribution);
    case 'erlang':
    case 'gamma':
      return gammaLaw(distribution);
    case 'hyperexponential':
      return hyperexponentialLaw(distribution);
    case 'uniform':
      return uniformLaw(distribution);
    case 'lognormal':
      return lognormalLaw(distribution);
    case 'weibull':
      return weibullLaw(distribution);
    case 'pareto':
      return paretoLaw(distribution);
    case 'lomax':
      return lomaxLaw(distribution);
    case 'phase-type':
      return phaseTypeLaw(distribution);
    case 'empirical':
      return empiricalLaw(distribution);
  }
}
