import {
  serviceTimeConflict,
  serviceTimeLimits,
  serviceTimeRequest,
  serviceTimeSolution,
} from '../../schemas/estimates-laws.ts';
import type { Warning } from '../../solvers/answer.ts';
import { ConditionNotMet } from '../../solvers/condition.ts';
import {
  fitBranches,
  fitMoments,
  lawMoments,
  type Moments,
  momentsOf,
  sampleMoments,
} from '../../solvers/estimation/index.ts';
import { defineOperation } from '../operation.ts';

/** A phase-type law of service times from moments or a sample. */
export const serviceTime = defineOperation({
  name: 'estimates/service-time',
  tag: 'estimates',
  summary: 'A phase-type law of service times, from moments or a sample',
  description: [
    'Two exponential branches that have exactly the three moments given; from a sample, two branches by expectation maximisation. Where the squared',
    'coefficient of variation is at most 1, a mixture of Erlang laws on two moments, with a warning. Three moments that no hyperexponential law has: `infeasible`,',
    'with the inequality they violate. The law goes into `threshold-policy` and `crawler-count` as it is.',
    '',
    'Source: W. Whitt, *Approximating a point process by a renewal process* (1982); H. C. Tijms (1986); K. Avrachenkov et al. (2012), section 7.',
  ].join('\n'),
  request: serviceTimeRequest,
  solution: serviceTimeSolution,
  beside: {},
  conflict: serviceTimeConflict,
  examples: [
    {
      name: 'service-time',
      summary: 'The INRIA crawler’s content sizes: three moments in bytes, 6000 bytes a time unit',
    },
    { name: 'service-time-sample', summary: 'A sample of service times' },
    { name: 'service-time-infeasible', summary: 'Three moments that no hyperexponential law has' },
  ],
  limits: serviceTimeLimits,
  work: ({ sample }) => 1000 + (sample?.length ?? 0) * 20_000,
  solve({ moments, sample, scale }, budget) {
    const values = sample?.map((x) => x / scale);
    const observed: Moments = values ? sampleMoments(values) : momentsOf(...scaled(moments ?? [0, 0, 0], scale));
    requireDoublePrecision(observed, values ? 'sample' : 'moments');
    if (values && observed.scv > 1) {
      const { distribution, logLikelihood, passes } = fitBranches(values, observed, budget);
      return {
        status: 'evaluated',
        solution: { distribution: { ...distribution }, observed, fitted: lawMoments(distribution), logLikelihood },
        statistics: { solver: 'expectation-maximisation', iterations: passes },
      };
    }
    const fit = fitMoments(observed);
    if (fit.kind === 'impossible') {
      return { status: 'infeasible', conflict: { ...fit.conflict }, statistics: { solver: 'moments' } };
    }
    return {
      status: 'evaluated',
      solution: { distribution: { ...fit.distribution }, observed, fitted: lawMoments(fit.distribution) },
      warnings: serviceWarnings(observed, fit.note),
      statistics: { solver: 'moments' },
    };
  },
});

/** Refuses values whose moments cannot be told apart in double precision, or overflow it. */
function requireDoublePrecision({ moments: [m1, m2, m3] }: Moments, place: 'sample' | 'moments'): void {
  const largest = 1e290;
  if (m1 > 1 / largest && m2 > 1 / largest && m3 > 1 / largest && m1 < largest && m2 < largest && m3 < largest) return;
  const detail = `divided by scale, the moments are ${m1}, ${m2} and ${m3}: they must lie between ${1 / largest} and ${largest}; choose a scale near the mean`;
  throw new ConditionNotMet([place], 'beyond-double-precision', detail);
}

function scaled([m1, m2, m3]: readonly number[], scale: number): [number, number, number] {
  return [m1 / scale, m2 / scale / scale, m3 / scale / scale / scale];
}

function serviceWarnings({ scv }: Moments, note: 'exact' | 'two-moments' | 'mean-only'): Warning[] {
  if (note === 'exact') return [];
  const detail =
    note === 'two-moments'
      ? `scv ${scv} is at most 1: a mixture of Erlang laws on mean and variance; the third moment is not reproduced`
      : `scv ${scv} is below 0.01: an Erlang law of 100 stages on the mean; variance and third moment are not reproduced`;
  return [{ code: 'two-moments', detail }];
}
