import type { Distribution } from './distribution.ts';
import { deterministicLaw } from './families/deterministic.ts';
import { empiricalLaw } from './families/empirical.ts';
import { exponentialLaw } from './families/exponential.ts';
import { gammaLaw } from './families/gamma.ts';
import { hyperexponentialLaw } from './families/hyperexponential.ts';
import { lognormalLaw } from './families/lognormal.ts';
import { lomaxLaw } from './families/lomax.ts';
import { paretoLaw } from './families/pareto.ts';
import { phaseTypeLaw } from './families/phase-type.ts';
import { uniformLaw } from './families/uniform.ts';
import { weibullLaw } from './families/weibull.ts';
import type { Law } from './law.ts';

/**
 * The law a distribution stands for. Its conditions (distribution.ts) must have been checked.
 *
 * Cost: O(1) to build and to ask, except empirical (O(n log n) to build, O(n) a transform, else O(log n)) and
 * phase-type with p phases (O(p³) once, O(p³) a transform, O(p²) a survival or truncated moment after up to ~100
 * products of p³).
 */
export function createLaw(distribution: Distribution): Law {
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
