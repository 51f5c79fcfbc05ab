/** What `crawl-plan` may learn from a log beyond every page's own rate, as it is asked for and told. */
import * as z from 'zod';
import type { CrawlPlanProblem, Estimator, PageGroups } from '../../solvers/crawl-plan/index.ts';
import type { ObjectiveName } from '../../solvers/objectives/index.ts';
import type { Refuse } from '../contract/refusals.ts';

/** Where the drifting rate is the default; it accepts more when asked for. */
const mostDriftingPages = 100_000;

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
  readonly groups: 'none' | 'host' | 'group';
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
  refuse: Refuse,
): Pick<CrawlPlanProblem, 'groups' | 'bursts' | 'exploration' | 'estimator'> {
  return {
    groups: groupsOf(request, refuse),
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

/** Groups by name, in the order of their first pages; undefined for none. */
function groupsOf({ groups, pages }: LearningRequest, refuse: Refuse): PageGroups | undefined {
  if (groups === 'none') return undefined;
  const names = pages.columns[groups];
  const at = new Map<string, number>();
  const group = Int32Array.from({ length: pages.length }, (_, i) => {
    const name = names[i];
    if (name === undefined) return -1;
    const known = at.get(name) ?? at.size;
    at.set(name, known);
    return known;
  });
  if (at.size === 0) {
    const message = `groups: "${groups}" asks for pages with a ${groups}; none has one: name them, or leave groups out`;
    refuse(['groups'], 'group-missing', message, groups);
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
  siblingsSooner: z.number().optional().describe('With groups: how many seconds sooner the next fetch is then due'),
};
