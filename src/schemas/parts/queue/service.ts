/** Service and expiry times in requests: a distribution, or the rate of an exponential one. */
import * as z from 'zod';
import type { Distribution } from '../../../solvers/laws/index.ts';
import { rate } from '../../contract/field.ts';
import { describeIssue, quoted } from '../../contract/problem.ts';
import { Refusals } from '../../contract/refusals.ts';
import { jsonSchemaOf, lazily } from '../../table/json-schema.ts';
import { numberFault, rangeJsonSchema } from '../../table/number-range.ts';
import { suggestNumber } from '../../words/suggest-number.ts';
import { distribution, exponential, phaseTypeDistribution } from '../distribution.ts';

/** Rates outside this range are assumed to be in the wrong unit. */
const rateRange = { atLeast: 1e-100, atMost: 1e100 };

type PhaseTypeInput = z.input<typeof phaseTypeDistribution>;

/** A distribution or the rate of an exponential one. */
function lawOrRate<Law extends Distribution, Input>(
  law: z.ZodType<Law, Input>,
  exponentialOf: (rate: number) => Law,
  description: string,
): z.ZodType<Law, Input | number> {
  const json = lazily(() => jsonSchemaOf(law));
  const aRate = { title: 'rate', ...rangeJsonSchema(rateRange), ...rate('Its rate: exponential times') };
  return z
    .any()
    .meta({
      get oneOf() {
        const { oneOf } = json();
        return [aRate, ...(Array.isArray(oneOf) ? oneOf : [json()])];
      },
      description,
    })
    .transform((value: unknown, context): Law => {
      const report = new Refusals(context.issues);
      if (typeof value === 'number') {
        const fault = numberFault(value, rateRange);
        if (fault === null) return exponentialOf(value);
        report.fault([], fault, value);
        return z.NEVER;
      }
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        const accepted = 'a rate (a number) or a law such as {"type": "exponential", "rate": 2}';
        const message = value === undefined ? `is required: ${accepted}` : `must be ${accepted}; got ${quoted(value)}`;
        report.fault([], { code: 'invalid_type', message: `${message}${suggestNumber(value)}` }, value);
        return z.NEVER;
      }
      const result = law.safeParse(value, { reportInput: true });
      if (result.success) return result.data;
      for (const issue of result.error.issues) {
        for (const fault of describeIssue(issue)) report.fault([], fault, issue.input);
      }
      return z.NEVER;
    });
}

/** Time to index a page: any distribution with a finite mean. */
export const anyService = lawOrRate<Distribution, z.input<typeof distribution>>(
  distribution,
  (perTime) => ({ type: 'exponential', rate: perTime }),
  'Time to index a page: a law, or an exponential rate',
);

/** Exponential time to index a page: the distribution or its rate. */
export const exponentialOrRate = lawOrRate<z.output<typeof exponential>, z.input<typeof exponential>>(
  exponential,
  (perTime) => ({ type: 'exponential', rate: perTime }),
  'Time to index a page: an exponential law, or its rate',
);

/** A distribution with a phase-type form, or the rate of an exponential one. */
export const phaseTypeOrRate = (description: string) =>
  lawOrRate<z.output<typeof phaseTypeDistribution>, PhaseTypeInput>(
    phaseTypeDistribution,
    (perTime) => ({ type: 'exponential', rate: perTime }),
    description,
  );
