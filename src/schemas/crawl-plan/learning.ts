/** What `crawl-plan` may learn from a log beyond every page's own rate, as it is asked for and told. */
import * as z from 'zod';
import type { CrawlPlanProblem, Estimator, PageGroups, RhythmQuestion } from '../../solvers/crawl-plan/index.ts';
import type { CheckHistory } from '../../solvers/estimation/index.ts';
import type { ObjectiveName } from '../../solvers/objectives/index.ts';
import type { Refuse } from '../contract/refusals.ts';
import { clockOf, settingsBetween } from '../parts/clock/wall-clock.ts';
import { earliestTime, nowFault } from '../parts/epoch-times.ts';

/** Where the drifting rate is the default; it accepts more when asked for. */
const mostDriftingPages = 100_000;
/** Clocks are looked at so many seconds ahead. */
const longestAhead = 400 * 86_400;

export const learningFields = {
  groups: z
    .enum(['none', 'host', 'group'])
    .default('none')
    .describe(
      'Pages that may change together: those of a host, or those that name the same group. How strongly they do is learnt from the ' +
        'log; where it does, a change seen on one counts as news of the others',
    ),
  bursts: z
    .enum(['none', 'if-shown'])
    .default('none')
    .describe(
      'if-shown: rates may also burst, where the log foretells its latest checks better so; takes a drifting rate and freshness',
    ),
  rhythm: z
    .enum(['none', 'all', 'host', 'group'])
    .default('none')
    .describe(
      'all: rates may keep a daily and weekly rhythm by the clock of timeZone, one for all pages; host or group: also one of their ' +
        'own; each where the log foretells its latest checks better so. Takes freshness, and no signals',
    ),
  peak: z
    .number()
    .min(1)
    .max(168)
    .default(1)
    .describe(
      'With rhythm: the slots may be moved to the hours at which fetches are worth most, in no hour more than so many times as many ' +
        'as evenly; 1: they stay where they are',
    ),
  exploration: z
    .enum(['none', 'value-of-information'])
    .default('none')
    .describe(
      'value-of-information: pages whose rate the usual fetches leave in doubt are also fetched for what that teaches; takes a ' +
        'drifting rate',
    ),
  estimator: z
    .enum(['maximum-likelihood', 'drifting-rate'])
    .optional()
    .describe(
      'maximum-likelihood: observations fade over a year; drifting-rate: a belief over rates that drift, better on real histories and the default up to 100,000 pages',
    ),
};

interface LearningRequest {
  readonly now: number;
  readonly interval: number;
  readonly timeZone: string;
  readonly groups: 'none' | 'host' | 'group';
  readonly rhythm: 'none' | 'all' | 'host' | 'group';
  readonly peak: number;
  readonly windows?: unknown;
  readonly bursts: 'none' | 'if-shown';
  readonly exploration: 'none' | 'value-of-information';
  readonly objective: ObjectiveName;
  readonly estimator?: Estimator | undefined;
  readonly pages: {
    readonly length: number;
    readonly columns: Readonly<Record<'host' | 'group', readonly (string | undefined)[]>>;
  };
}

/** The options as the solver takes them. */
export function learningOf(
  request: LearningRequest,
  evidence: Pick<CrawlPlanProblem, 'history' | 'lastCrawl' | 'signals'>,
  refuse: Refuse,
): Pick<CrawlPlanProblem, 'groups' | 'bursts' | 'rhythm' | 'exploration' | 'estimator'> {
  return {
    groups: request.groups === 'none' ? undefined : groupsOf(request, 'groups', request.groups, refuse),
    rhythm: rhythmOf(request, evidence, refuse),
    bursts: burstsOf(request, refuse),
    exploration: request.exploration === 'value-of-information',
    estimator: estimatorOf(request, refuse),
  };
}

/** What a burst is worth in a fetch is known for freshness. */
function burstsOf({ bursts, objective }: LearningRequest, refuse: Refuse): boolean {
  if (bursts === 'if-shown' && objective !== 'freshness') {
    const message = `bursts takes the objective freshness; got ${objective}: leave one out`;
    refuse(['bursts'], 'not-applicable', message, bursts);
  }
  return bursts === 'if-shown';
}

/** Exploration and bursts are of a belief, which only the drifting rate has. */
function estimatorOf({ estimator, exploration, bursts, pages }: LearningRequest, refuse: Refuse): Estimator {
  const believes = exploration !== 'none' || bursts !== 'none';
  if (believes && estimator === 'maximum-likelihood') {
    const message =
      'exploration and bursts take a drifting rate; got maximum-likelihood, which takes its estimates as known: leave one out';
    refuse(['estimator'], 'not-applicable', message, estimator);
  }
  return estimator ?? (believes || pages.length <= mostDriftingPages ? 'drifting-rate' : 'maximum-likelihood');
}

/** By whose clock pages may keep hours; undefined for none. */
function rhythmOf(
  request: LearningRequest,
  { history, lastCrawl, signals }: Pick<CrawlPlanProblem, 'history' | 'lastCrawl' | 'signals'>,
  refuse: Refuse,
): RhythmQuestion | undefined {
  const { rhythm, peak, objective, timeZone, now, interval, windows } = request;
  if (peak > 1 && (rhythm === 'none' || windows !== undefined)) {
    const message = `peak moves slots to the hours that a rhythm shows, and windows say their own; got ${peak}: leave one out`;
    refuse(['peak'], 'not-applicable', message, peak);
  }
  if (rhythm === 'none') return undefined;
  if (objective !== 'freshness' || signals !== undefined) {
    const got = signals === undefined ? objective : 'signals';
    refuse(['rhythm'], 'not-applicable', `rhythm takes the objective freshness, and no signals; got ${got}`, rhythm);
  }
  const clock = clockOf(timeZone);
  if (clock === null || nowFault(now) !== null) return undefined;
  const earliest = Math.max(earliestTime, earliestSeen(history, lastCrawl, now));
  const wall = settingsBetween(clock, earliest, now + Math.min(interval, longestAhead));
  return { wall, peak, group: rhythm === 'all' ? undefined : groupsOf(request, 'rhythm', rhythm, refuse) };
}

/** When the first check of all pages began. */
function earliestSeen({ offsets, elapsed }: CheckHistory, lastCrawl: Float64Array, now: number): number {
  let earliest = now;
  for (let i = 0; i < lastCrawl.length; i++) {
    let time = Number.isNaN(lastCrawl[i]) ? now : lastCrawl[i];
    for (let k = offsets[i]; k < offsets[i + 1]; k++) time -= elapsed[k];
    if (time < earliest) earliest = time;
  }
  return earliest;
}

/** Groups by name, in the order of their first pages; undefined where no page names one. */
function groupsOf(
  { pages }: LearningRequest,
  option: 'groups' | 'rhythm',
  by: 'host' | 'group',
  refuse: Refuse,
): PageGroups | undefined {
  const names = pages.columns[by];
  const at = new Map<string, number>();
  const group = Int32Array.from({ length: pages.length }, (_, i) => {
    const name = names[i];
    if (name === undefined) return -1;
    const known = at.get(name) ?? at.size;
    at.set(name, known);
    return known;
  });
  if (at.size === 0) {
    const message = `${option}: "${by}" asks for pages with a ${by}; none has one: name them, or leave ${option} out`;
    refuse([option], 'group-missing', message, by);
    return undefined;
  }
  return { group, names: [...at.keys()] };
}

const strengthInterval = z.tuple([z.number(), z.number()]);

export const groupFigures = z.object({
  applied: z
    .boolean()
    .describe('Whether the log shows, a hundred to one, that pages change together; if not, nothing is made of it'),
  strength: z
    .number()
    .describe('If it were the same in all groups: the chance that a page had changed where one sibling had'),
  interval: strengthInterval.describe('Its 95% interval'),
  list: z
    .array(
      z.object({
        group: z.string(),
        pages: z.int(),
        strength: z.number().describe('Drawn towards the other groups’ where its own pages show little'),
        interval: strengthInterval.describe('95% of the posterior'),
      }),
    )
    .describe('Groups of two pages and more, the strongest first, at most 1000'),
});

export const burstFigures = z.object({
  taken: z.boolean().describe('Whether they foretell the latest checks better than none, a hundred to one'),
  evidence: z.number().describe('ln of these odds'),
  busyShare: z.number().describe('Share of the time that a page is in a burst'),
  ratio: z.number().describe('How many times as fast it then changes'),
  length: z.number().describe('Mean length of a burst, seconds'),
  intervals: z
    .object({
      busyShare: strengthInterval,
      ratio: strengthInterval,
      length: strengthInterval,
    })
    .nullable()
    .describe(
      '95% intervals of the three by all checks, the kinds in between among them; null where the bursts are not taken, nothing ' +
        'bounds them, or half the time left is too little to find them. The kind that the plan goes by may lie outside: there are twelve',
    ),
});

const rhythmHours = z
  .array(
    z.object({
      rate: z.number().describe('How often pages change in this hour, over the mean'),
      interval: strengthInterval.describe('Its 95% interval'),
      urgency: z
        .number()
        .describe(
          'How urgent the fetch of a slowly changing page is, over that of one without a rhythm: most when a rush is over',
        ),
    }),
  )
  .describe('By hour of the day, from 00:00 by the clock of timeZone');
const rhythmDays = z
  .array(z.object({ rate: z.number(), interval: strengthInterval }))
  .describe('The same by day, from Monday');

export const rhythmFigures = z.object({
  taken: z.boolean().describe('Whether it foretells the latest checks better than steady rates, a hundred to one'),
  evidence: z.number().describe('ln of these odds'),
  hours: rhythmHours,
  days: rhythmDays,
  groups: z
    .array(z.object({ group: z.string(), pages: z.int(), evidence: z.number(), hours: rhythmHours, days: rhythmDays }))
    .optional()
    .describe('With host or group: those that keep hours of their own, the surest first, at most 100'),
});

/** What a page's figures have besides. */
export const siblingShape = {
  siblings: z
    .number()
    .optional()
    .describe(
      'With groups: what to multiply the chance that this copy is current by when another page of its group is found changed; 1: ' +
        'nothing',
    ),
  siblingsSooner: z
    .number()
    .optional()
    .describe('With groups: how many seconds sooner the next fetch is then due, once, until the page is fetched'),
};
