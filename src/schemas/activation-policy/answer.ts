/** The answer of `activation-policy`. */
import * as z from 'zod';
import { limitsConflictSchema } from '../contract/answer.ts';
import { frontAnswerSchema } from '../parts/series/front.ts';
import { sweepAnswerSchema } from '../parts/series/sweep.ts';

const activeCrawlers = {
  min: z.number().describe('Fewest in the recurrent class'),
  mean: z.number().describe('Time average'),
  max: z.number().describe('Most in the recurrent class'),
};

const averages = {
  starvationProbability: z.number().describe('Share of time with an empty queue'),
  lossRate: z.number().describe('Pages lost per unit time'),
  meanQueueLength: z.number().describe('Mean number of pages in the queue, the one in service included'),
};

export const activationSolution = z.object({
  crawlers: z.int().describe('N, as given or as many as the optimum can use'),
  targets: z
    .array(z.int())
    .describe(
      'R[0..K]: after an event, activate one crawler iff fewer than R[new queue length] are active; beside targetsByState or ' +
        'decisionsByState only the nearest to them, as is switchingCurve',
    ),
  activeCrawlers: z.object({
    ...activeCrawlers,
    maxActivating: z.int().describe('Largest number active from which a departure still activates: max R − 1'),
  }),
  ...averages,
  switchingCurve: z
    .object({
      monotone: z.boolean().describe('Whether the targets never rise with the queue length'),
      afterArrival: z
        .array(z.int().nullable())
        .describe('For r = 0..N active: largest queue length before the arrival at which its crawler is reactivated'),
      afterDeparture: z
        .array(z.int())
        .describe('For r = 0..N active: largest queue length before the departure at which one more is activated'),
    })
    .describe('Queue lengths and r before the event; null where the event cannot happen, −1 where never'),
  targetsByState: z
    .object({
      phases: z.array(z.int()).describe('The columns of the table: phases of indexing, from 0 as in service'),
      table: z
        .array(z.array(z.int()))
        .describe('table[queue length][column]: activate one crawler iff fewer than this are active'),
    })
    .optional()
    .describe('With `observe: "phases"`: the policy, by the phase of indexing after the event'),
  decisionsByState: z
    .object({
      columns: z
        .array(
          z.object({
            service: z.int().describe('Phase of indexing after the event'),
            arrival: z
              .int()
              .nullable()
              .describe('Phase in which the crawler that brought a batch would go on; null after a departure'),
          }),
        )
        .describe('The columns of the table'),
      active: z
        .array(z.array(z.int()))
        .describe('Crawlers active in each phase before the decision, the one that brought a batch left out'),
      table: z
        .array(z.array(z.string()))
        .describe('table[queue length][column]: character i is 1 iff one is activated where active[i] are'),
    })
    .optional()
    .describe('The policy decision by decision, where crawlers have phases or it is no table of targets'),
});

export const activationConflict = limitsConflictSchema;

export const activationBeside = {
  mixture: z
    .array(
      z.object({
        share: z.number().describe('Share of time'),
        targets: z.array(z.int()).describe('Its targets'),
        cost: z.number().describe('Its own cost'),
        ...averages,
      }),
    )
    .optional()
    .describe('With `constraints`: the policies whose mixture in time is best, where no single one is'),
  mixedDecision: z
    .object({
      queueLength: z.int().describe('An event that leaves so many pages …'),
      activeCrawlers: z.int().describe('… with so many crawlers active before it is decided …'),
      probability: z.number().describe('… activates one more with this probability'),
    })
    .optional()
    .describe('The same mixture as one policy: `targets` but for one decision, which is left to chance'),
  dualPrices: z
    .record(z.string(), z.number())
    .optional()
    .describe(
      'With `constraints`, for each: what a unit more of it would save per unit time; 0 where it does not bind',
    ),
  byQueueLength: z
    .object({ targets: z.array(z.int()).describe('Its targets'), cost: z.number().describe('Its cost') })
    .optional()
    .describe('With `observe: "phases"`: the best targets found for a controller that does not see the phases'),
  fullInformation: z
    .object({
      cost: z.number().describe('Cost of the best policy found that sees the phases'),
      relativeImprovement: z.number().describe('1 − that cost/cost of the answer'),
    })
    .optional()
    .describe('With service, batchSizes or arrivals: how far seeing the phases could go'),
  sweep: sweepAnswerSchema(activationSolution),
  front: frontAnswerSchema(activationSolution.pick({ targets: true })),
  baseline: z
    .object({ crawlers: z.int(), cost: z.number() })
    .describe('The best number of always-active crawlers, at most `crawlers`, and its cost'),
  relativeImprovement: z
    .number()
    .nullable()
    .describe('(baseline cost − cost)/cost; null when the cost is 0, or too small to divide by'),
  recurrentClasses: z
    .array(z.object({ cost: z.number(), activeCrawlers: z.object(activeCrawlers), ...averages }))
    .optional()
    .describe('For given targets: what each recurrent class does in the long run, the dearest first'),
};
