import {
  type CheckedChangeSignals,
  changeSignalsLimits,
  changeSignalsRequest,
  changeSignalsSentence,
  changeSignalsSolution,
} from '../../schemas/estimates-change-signals.ts';
import { type Warning, warning } from '../../solvers/answer.ts';
import { type Estimate, type SignalFit, solveChangeSignals } from '../../solvers/change-signals/index.ts';
import { siteEditWarnings } from '../../solvers/estimation/index.ts';
import { defineOperation } from '../operation.ts';

/** How far sitemaps, IndexNow and pings can be trusted, host by host. */
export const changeSignals = defineOperation({
  name: 'estimates/change-signals',
  tag: 'estimates',
  summary: 'How far signals of changes can be trusted, from checks and the signals between them',
  description: [
    'Sitemaps (lastmod), IndexNow and pings say that a page has changed. Some are wrong, and they miss some changes. From checks, each with',
    'the number of signals since the one before, the answer has each host’s precision (share of signals that are right) and recall (share',
    'of changes that are signalled), with intervals. `crawl-plan` asks for both beside `signals`.',
    '',
    'A check after a time a with n signals finds no change with probability e^{−(1−ρ)λa}(1−p)^n, and signals come at λρ/p. ln λ is normal over',
    'the pages of a host, and integrated out. With `lastCrawl`, edits of much of a host at once are found, and the checks that span one are',
    'set aside, with a warning.',
    '',
    'Source: R. Busa-Fekete et al. 2025 (noisy change-indicating signals); marginal likelihood.',
  ].join('\n'),
  request: changeSignalsRequest,
  solution: changeSignalsSolution,
  sentence: changeSignalsSentence,
  beside: {},
  examples: [
    {
      name: 'change-signals',
      summary: 'Two hosts: a sitemap that is right as a rule, and pings that are wrong as a rule',
    },
    { name: 'change-signals-columns', summary: 'Columns, one host' },
  ],
  limits: changeSignalsLimits,
  work: ({ problem }) => 32_000 * problem.elapsed.length + 100_000 * problem.hosts,
  solve(request, budget) {
    const { hosts, overall } = solveChangeSignals(request.problem, budget);
    return {
      status: 'evaluated',
      solution: {
        hosts: hosts.flatMap((fit, h) => (fit === null ? [] : [{ host: request.names[h], ...fitOf(fit) }])),
        overall: fitOf(overall),
      },
      warnings: warningsOf(request, hosts),
      statistics: { solver: 'marginal-likelihood', pages: overall.pages, checks: overall.checks },
    };
  },
});

function fitOf({ point: _, settled: __, ...fit }: SignalFit) {
  const told = ({ value, low, high }: Estimate) => ({ value, interval: [low, high] satisfies [number, number] });
  return {
    ...fit,
    precision: told(fit.precision),
    recall: told(fit.recall),
    signalRate: told(fit.signalRate),
    changeRate: told(fit.changeRate),
  };
}

const besideEdits =
  'the checks that span such an edit are set aside, and precision and recall are of the pages’ own changes';

function warningsOf({ names }: CheckedChangeSignals, hosts: readonly (SignalFit | null)[]): Warning[] {
  const none = { edits: 0, changes: 0, withEdits: 0 };
  const edits = hosts.map((fit) =>
    fit === null ? none : { edits: fit.siteEdits, changes: fit.changes, withEdits: fit.changesWithEdits },
  );
  const known = hosts.flatMap((fit, h) => (fit === null ? [] : [{ name: names[h] ?? 'pages without a host', fit }]));
  const say = (code: string, listed: readonly { name: string }[], what: string): Warning[] => {
    if (listed.length === 0) return [];
    const first = listed
      .slice(0, 5)
      .map(({ name }) => name)
      .join(', ');
    return [warning(code, `${what}, of ${listed.length} in all (first: ${first})`, ['pages'])];
  };
  return [
    ...say(
      'few-signals',
      known.filter(({ fit }) => fit.signals < 10 || fit.changes < 10),
      'hosts have fewer than ten signals or changes: their intervals say how little that shows',
    ),
    ...say(
      'not-settled',
      known.filter(({ fit }) => !fit.settled),
      'the search for the likeliest precision and recall did not settle for hosts',
    ),
    ...say(
      'sampled',
      known.filter(({ fit }) => fit.pages > 500),
      'precision and recall rest on 500 pages or fewer of hosts that have more',
    ),
    ...siteEditWarnings(names, edits, besideEdits),
  ];
}
