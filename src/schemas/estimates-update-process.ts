/** The wire shape of `estimates/update-process`. */

import * as z from 'zod';
import type { SolvedAnswer } from './contract/answer.ts';
import { number, time } from './contract/field.ts';
import { list } from './contract/list.ts';
import { requestSchema } from './contract/options.ts';
import { real } from './contract/range.ts';
import { object } from './contract/strict-object.ts';
import { fittedLaw, fittedValue, largestValue } from './parts/distribution.ts';
import { figure } from './words/numbers.ts';

export const updateProcessLimits = { gaps: 1_000_000 } as const;

const wireUpdateProcess = requestSchema({
  gaps: list(fittedValue, { minItems: 3, maxItems: updateProcessLimits.gaps }).meta(
    time('Times between updates of a page, in order'),
  ),
  openGap: real({ atLeast: 0, atMost: largestValue })
    .default(0)
    .meta(time('Time since the last update (right censored)')),
});

export const updateProcessRequest = wireUpdateProcess.transform(({ options, gaps, openGap }) => ({
  options,
  problem: { gaps: Float64Array.from(gaps), openGap },
}));

export const updateProcessSolution = object('UpdateProcessSolution', {
  candidates: z
    .array(
      object('UpdateProcessCandidate', {
        distribution: fittedLaw,
        logLikelihood: z.number().meta(number()),
        aic: z.number().meta(number('2·parameters − 2·logLikelihood: less is better')),
        ks: z.number().meta(number()),
        ad: z.number().meta(number()),
      }),
    )
    .describe('The laws that fit, best AIC first'),
});

export function updateProcessSentence({ solution }: SolvedAnswer<typeof updateProcessSolution>): string {
  const [best, second] = solution.candidates;
  const lead =
    second === undefined ? '' : `; ${second.distribution.type} is ${figure(second.aic - best.aic, 3)} of AIC behind`;
  return `The law that fits the gaps between updates best is ${best.distribution.type}${lead}.`;
}
