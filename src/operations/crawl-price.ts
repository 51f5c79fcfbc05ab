import {
  type CheckedPrice,
  crawlPriceLimits,
  crawlPriceRequest,
  crawlPriceSentence,
  crawlPriceSolution,
  pricedTargets,
  priceStatements,
  priceToleranceText,
} from '../schemas/crawl-price/index.ts';
import { measuredBy, measureOf } from '../schemas/parts/objective-measures.ts';
import { targetBeside, told, toldCurve, toldPrice } from '../schemas/parts/targets/answer.ts';
import type { AskedTarget } from '../schemas/parts/targets/asked.ts';
import {
  askingLess,
  bindingHosts,
  missedTarget,
  raisedLimits,
  targetConflict,
} from '../schemas/parts/targets/conflict.ts';
import { objective as objectiveOf } from '../solvers/answer.ts';
import type { Budget } from '../solvers/budget.ts';
import { nextPrice } from '../solvers/by-price/index.ts';
import {
  type NeededByTarget,
  neededByTarget,
  neededRate,
  priceCurve,
  priceTolerance,
  solveCrawlPrice,
  type TargetsMissed,
} from '../solvers/crawl-price/index.ts';
import type { Groups } from '../solvers/pages/targets/index.ts';
import { dialects, histogramStatement, isStatementObjective, planStatement, tableName } from '../statements/index.ts';
import { defineOperation } from './operation.ts';

export const crawlPrice = defineOperation({
  name: 'crawl-price',
  tag: 'plans',
  summary: 'The price of a crawl for any number of pages, from a histogram of them',
  description: [
    'A table of 10⁷ to 10¹⁰ pages stays where it is. One number couples its pages, the price of a crawl: given it, each page knows its',
    'own rate. The price comes from one GROUP BY over buckets of ratios weight/change rate. A few thousand rows give the price, an',
    'interval that contains the exact price, and proved bounds of the cost.',
    '',
    'Send the rows of all shards to merge their histograms. With `dialect` the answer has the SQL of the histogram and of the plan, with',
    'the price filled in. Pages change by Poisson processes; the objective is a cost per time unit, for',
    `freshness Σ weight·staleness. \`optimal\`: the gap is at most ${priceToleranceText}.`,
    '',
    'With `feedback` it takes no pages: from the fetches made at a price and those wanted, it answers the next price.',
    '',
    'Sources: J. Cho, H. Garcia-Molina, Effective page refresh policies for web crawlers, ACM TODS 28 (2003); E. G. Coffman, Z. Liu,',
    'R. R. Weber, J. Scheduling 1 (1998); A. Kolobov et al., NeurIPS 2019 (harmonic). The bounds: the principal representations of S. Karlin,',
    'W. J. Studden, Tchebycheff Systems (1966).',
  ].join('\n'),
  request: crawlPriceRequest,
  solution: crawlPriceSolution,
  sentence: crawlPriceSentence,
  objective: ({ problem, asked }) =>
    asked === null ? measuredBy(problem.objective) : { measure: 'crawls', unit: 'crawls per time unit' },
  beside: { statements: priceStatements.optional(), curve: targetBeside.curve, targets: pricedTargets },
  conflict: targetConflict,
  examples: [
    { name: 'crawl-price', summary: 'A million pages in 48 buckets, and the statements for DuckDB' },
    { name: 'crawl-price-feedback', summary: 'The next price, from what was fetched in the last half day' },
    { name: 'crawl-price-target', summary: 'How few crawls keep a million pages current 60% of the time' },
    { name: 'crawl-price-hosts', summary: 'Feeds by delay, two hosts with limits, in columns' },
  ],
  limits: crawlPriceLimits,
  // some 45 prices, a microsecond a bucket, and a search for the points of each; groups with targets, and once more
  work: ({ problem, asked, curve }) =>
    60_000 * problem.histogram.pages.length * ((asked === null ? 1 : asked.own === null ? 2 : 6) + (curve ? 20 : 0)),
  solve(request, budget) {
    const { problem, hostNames, feedback, asked, curve } = request;
    if (feedback !== undefined) {
      return {
        status: 'evaluated',
        solution: { price: nextPrice(feedback) },
        warnings: [],
        statistics: { solver: 'price-feedback' },
      };
    }
    if (asked !== null && asked.own !== null) return byTargets(request, { ...asked, own: asked.own }, budget);
    const needed = asked === null ? null : neededRate(problem, asked.whole, budget);
    if (asked !== null && needed?.met === false) {
      const conflict = missedHere(request, asked, { ...needed, group: -1, others: [] });
      return { status: 'infeasible', conflict, warnings: [], statistics: { solver: 'histogram-price' } };
    }
    const rate = needed?.met === true ? needed.rate : problem.rate;
    const answer = needed?.met === true ? needed.answer : solveCrawlPrice(problem, budget);
    const { warnings, evaluations, ...found } = answer;
    const objective = needed?.met === true ? objectiveOf(rate, needed.bound) : answer.objective;
    const proved = objective.gap !== null && objective.gap <= priceTolerance;
    const status = needed === null ? answer.status : proved ? 'optimal' : 'feasible';
    const hosts = found.hosts.map(({ host, limitedBy: _, ...rest }) => ({ host: hostNames[host], ...rest }));
    return {
      status,
      objective,
      solution: {
        price: found.price,
        priceBracket: [...found.priceBracket],
        rate: found.rate,
        scale: found.scale,
        withoutCrawl: { pages: found.withoutCrawl.pages, bracket: [...found.withoutCrawl.bracket] },
        ...(needed?.met === true && { crawls: rate }),
        ...(hostNames.length > 0 && { hosts }),
      },
      beside: {
        ...(curve && rate > 0 && { curve: curveOf(request, rate, budget) }),
        statements: statementsOf(request, found.price, found.scale, hosts),
      },
      warnings,
      statistics: { solver: 'histogram-price', buckets: problem.histogram.pages.length, evaluations },
    };
  },
});

/** Targets of classes and hosts, with that of all pages beside them. */
function byTargets(request: CheckedPrice, asked: AskedTarget & { readonly own: Groups }, budget: Budget) {
  const { problem, hostNames } = request;
  const needed = neededByTarget(problem, asked, budget);
  if (!needed.met) {
    const conflict = missedHere(request, asked, needed);
    return { status: 'infeasible' as const, conflict, warnings: [], statistics: { solver: 'histogram-price' } };
  }
  const objective = objectiveOf(needed.rate, needed.bound);
  const parts = [...needed.apart, ...(needed.rest === null ? [] : [needed.rest])].map(({ answer }) => answer);
  const hosts = parts
    .flatMap((part) => part.hosts)
    .sort((a, b) => a.host - b.host)
    .map(({ host, limitedBy: _, ...rest }) => ({ host: hostNames[host], ...rest }));
  const rest = needed.rest?.answer;
  const sum = (of: (part: (typeof parts)[number]) => number): number => parts.reduce((all, each) => all + of(each), 0);
  const own = asked.owns.map((each, g) => ({
    ...needed.groups[g],
    host: each.class ?? each.host ?? '',
    limited: true,
  }));
  return {
    status: objective.gap !== null && objective.gap <= priceTolerance ? ('optimal' as const) : ('feasible' as const),
    objective,
    solution: {
      price: rest?.price ?? null,
      ...(rest !== undefined && { priceBracket: [...rest.priceBracket], scale: rest.scale }),
      rate: sum((each) => each.rate),
      withoutCrawl: {
        pages: sum((each) => each.withoutCrawl.pages),
        bracket: [sum((each) => each.withoutCrawl.bracket[0]), sum((each) => each.withoutCrawl.bracket[1])],
      },
      crawls: needed.rate,
      ...(hostNames.length > 0 && { hosts }),
    },
    beside: {
      targets: pricedTargetsOf(asked, needed),
      statements: statementsOf(request, rest?.price ?? null, rest?.scale ?? 1, [
        ...hosts.filter(({ limited }) => limited),
        ...own.filter(({ apart }) => apart),
      ]),
    },
    warnings: parts.flatMap((each) => each.warnings),
    statistics: {
      solver: 'histogram-price',
      buckets: problem.histogram.pages.length,
      evaluations: sum((each) => each.evaluations),
    },
  };
}

function pricedTargetsOf({ owns }: AskedTarget, { groups }: NeededByTarget) {
  return owns.map((each, g) => ({
    ...(each.class !== undefined && { class: each.class }),
    ...(each.host !== undefined && { host: each.host }),
    crawls: groups[g].crawls,
    ...told(each.measure, groups[g].left, each.scale),
    // what no crawl is needed for has none
    price: groups[g].crawls > 0 ? toldPrice(groups[g].price, each.scale) : null,
    crawlPrice: groups[g].price,
    crawlPriceBracket: [...groups[g].priceBracket],
    scale: groups[g].scale,
    bound: groups[g].apart ? groups[g].bound : null,
  }));
}

/** The target that hosts' limits leave out of reach. */
function missedHere({ problem, hostNames }: CheckedPrice, asked: AskedTarget, missed: TargetsMissed) {
  const scale = missed.group < 0 ? asked.scale : asked.owns[missed.group].scale;
  const hosts = hostNames.map((host, h) => ({ host, most: problem.maxRate[h] }));
  const limits = { limit: 'maxRate', hosts } as const;
  const binding = bindingHosts(limits, missed.hostPrice, (price) => price / scale);
  const raised = missed.others.length === 0 ? raisedLimits(limits, missed.eased) : [];
  return missedTarget(asked, missed, binding, [...askingLess(asked, missed), ...raised]);
}

function curveOf({ problem, asked, scale }: CheckedPrice, rate: number, budget: Budget) {
  const measure = asked?.measure ?? measureOf(problem.objective);
  return toldCurve(priceCurve(problem, rate, budget), { measure, scale, perCrawl: 1 });
}

function statementsOf(
  { statements, problem, hostNames, asked }: CheckedPrice,
  price: number | null,
  scale: number,
  hosts: readonly { host: string; price: number; scale: number; limited: boolean }[],
): { histogram: string; plan: string } | undefined {
  const { objective } = problem;
  if (statements === undefined || !isStatementObjective(objective)) return undefined;
  const { table } = statements;
  const dialect = dialects[statements.dialect];
  const apart = asked?.owns.some((each) => each.class !== undefined) ? 'class' : 'host';
  const byHost = hostNames.length > 0 || (asked !== null && asked.own !== null);
  const pages = { ...table, host: table[apart], from: tableName(dialect, table.name.split('.')) };
  const width = table.bucketWidth;
  // a page whose class has no target is not crawled: no ratio is above such a price
  const common = price ?? 1e200;
  return {
    histogram: histogramStatement(dialect, { pages, objective, width, apart: byHost ? apart : undefined }),
    plan: planStatement(dialect, {
      pages,
      objective,
      price: common,
      scale,
      hosts: hosts.filter(({ limited }) => limited),
      nextFetch: table.lastCrawl && {
        lastCrawl: table.lastCrawl.column,
        format: 'epoch-seconds',
        secondsPerUnit: table.lastCrawl.secondsPerUnit,
      },
    }),
  };
}
