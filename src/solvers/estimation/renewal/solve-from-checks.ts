/**
 * Which renewal process pages follow, from what a crawler has: checks that say changed or not.
 *
 * 1. A sample of the pages (at most so many changes seen) decides on the law: fit-families.ts.
 * 2. The law is not identified where the checks are too sparse, a mean gap below a third of their spacing, or where too
 *    few changes were seen: then no winner is named, and the pages are Poisson.
 * 3. Every page's mean gap at the winner's shape, steadied by all pages' (pooled-fit.ts).
 */
import type { Warning } from '../../answer.ts';
import { type Budget, unlessStopped } from '../../budget.ts';
import type { Distribution } from '../../laws/index.ts';
import { type CheckHistory, historyOf, pageCount, unchanged } from '../changes/check-history.ts';
import type { CheckedGapsProblem } from '../problem.ts';
import { checkRuns } from './check-runs.ts';
import { type FamilyFit, fitFamilies, roughMeans, samplePages } from './fit-families.ts';
import { type LawFamily, lawFamilies } from './law-families.ts';
import { PooledFit } from './pooled-fit.ts';
import { processColumns } from './process-columns.ts';

const mostChangesSampled = 1000;
const fewestOfEach = 20;
const sparsest = 1 / 3;
/** Pages settled between two looks at the budget. */
const pagesPerRound = 500;

interface CheckedProcesses {
  /** Least AIC first; each at its shape, with the pages' typical mean gap. */
  readonly candidates: readonly (Omit<FamilyFit, 'x' | 'family' | 'interval'> & {
    readonly distribution: Distribution;
    readonly shape: number;
    readonly shapeInterval: FamilyFit['interval'];
  })[];
  /** Whether the checks say which law it is. */
  readonly identified: boolean;
  /** By page: its process. */
  readonly distributions: readonly Distribution[];
  readonly pagesSampled: number;
  readonly warnings: readonly Warning[];
}

/**
 * Every page's process, of one shape for all or each by itself; at least one page with two checks or more.
 * @throws NothingToReturn when the budget ends before a law was fitted
 */
export function solveUpdateProcessFromChecks({ history, pooled, form }: CheckedGapsProblem, budget: Budget) {
  const sizes = { solver: 'age-recursion', checks: history.elapsed.length, pages: pageCount(history) };
  if (pooled) {
    const { candidates, identified, distributions, pagesSampled, warnings } = pooledProcesses(history, budget);
    const { columns, evened } = processColumns(form, distributions);
    return {
      status: 'evaluated' as const,
      solution: { candidates, identified, pages: columns, periodicity: null },
      warnings: [...warnings, ...evened],
      statistics: { ...sizes, pagesSampled },
    };
  }
  const { pages, warnings } = processesApart(history, budget);
  const { columns, evened } = processColumns(
    form,
    pages.map(({ distribution }) => distribution),
  );
  const own = { identified: pages.map((page) => page.identified), candidates: pages.map((page) => page.candidates) };
  return {
    status: 'evaluated' as const,
    solution: { candidates: [], pages: { ...columns, ...own }, periodicity: null },
    warnings: [...warnings, ...evened],
    statistics: sizes,
  };
}

/**
 * At least one page with two checks or more.
 * @throws NothingToReturn when the budget ends before a law was fitted
 */
export function pooledProcesses(history: CheckHistory, budget: Budget): CheckedProcesses {
  const sample = samplePages(history, mostChangesSampled);
  const { fits, left } = fitFamilies(history, sample, budget);
  const { centre } = populationOf(history, sample);
  const doubt = whyUnidentified(history, sample, Math.exp(centre));
  const exponential: LawFamily = lawFamilies[0];
  const { family, x } = doubt === null ? fits[0] : { family: exponential, x: 0 };
  const { means, unsettled } = pageMeans(history, family, x, budget);
  const warnings: Warning[] = [];
  if (doubt !== null) warnings.push({ code: 'law-not-identified', detail: doubt, pointer: '/pages' });
  else warnings.push(...rivals(fits));
  if (left > 0) {
    const detail = `the time limit came before ${left} of the six laws; raise options.timeLimitMs`;
    warnings.push({ code: 'stopped-early', detail });
  }
  if (unsettled > 0) {
    const detail = `the time limit came before the means of the last ${unsettled} pages: they have the typical one; raise options.timeLimitMs`;
    warnings.push({ code: 'stopped-early', detail });
  }
  return {
    candidates: fits.map(({ family: each, x: at, interval, ...figures }) => ({
      distribution: each.distribution(at, Math.exp(centre)),
      ...figures,
      shape: each.shape(at),
      shapeInterval: interval,
    })),
    identified: doubt === null,
    distributions: Array.from(means, (mean) => family.distribution(x, mean)),
    pagesSampled: sample.length,
    warnings,
  };
}

/** What a page alone shows. */
interface PageProcess {
  /** Least AIC first; empty where the time was up, or where the page has fewer than two checks. */
  readonly candidates: CheckedProcesses['candidates'];
  readonly identified: boolean;
  readonly distribution: Distribution;
}

/**
 * Every page by itself: its own law, shape and mean. A page is Poisson where its checks do not say which law it is, and
 * where the time was up. Its mean is then the one that all pages together give it.
 * @throws NothingToReturn when the budget ends before that mean is known
 */
function processesApart(
  history: CheckHistory,
  budget: Budget,
): { readonly pages: readonly PageProcess[]; readonly warnings: readonly Warning[] } {
  const { means } = pageMeans(history, lawFamilies[0], 0, budget);
  let unfitted = 0;
  let unidentified = 0;
  const pages = Array.from(means, (mean, i): PageProcess => {
    const poisson = { candidates: [], identified: false, distribution: lawFamilies[0].distribution(0, mean) };
    if (history.offsets[i + 1] - history.offsets[i] < 2) {
      unidentified++;
      return poisson;
    }
    const own = () => pooledProcesses(historyOf(history, i, i + 1), budget);
    const fitted = unfitted > 0 || budget.stopRequested() ? null : unlessStopped(null, own);
    if (fitted === null) {
      unfitted++;
      return poisson;
    }
    const { candidates, identified, distributions } = fitted;
    if (!identified) unidentified++;
    return { candidates, identified, distribution: identified ? distributions[0] : poisson.distribution };
  });
  const warnings: Warning[] = [];
  if (unidentified > 0) {
    const detail = `of ${pages.length} pages ${unidentified} have checks that do not say which law it is (at least ${fewestOfEach} that saw a change and as many that saw none are needed, and a mean gap above a third of their spacing): they are taken as Poisson; leave pooled out to fit one shape to all`;
    warnings.push({ code: 'law-not-identified', detail, pointer: '/pages' });
  }
  if (unfitted > 0) {
    const detail = `the time limit came before the laws of the last ${unfitted} pages: they are taken as Poisson; raise options.timeLimitMs`;
    warnings.push({ code: 'stopped-early', detail });
  }
  return { pages, warnings };
}

/** Typical mean gap under the exponential law: the one that sparse checks identify too. */
function populationOf(history: CheckHistory, sample: Uint32Array) {
  const pool = new PooledFit(checkRuns(history, sample, 0), roughMeans(history, sample));
  pool.logLikelihood(lawFamilies[0], 0);
  return pool.population;
}

function whyUnidentified(
  { offsets, elapsed, outcome }: CheckHistory,
  sample: Uint32Array,
  meanGap: number,
): string | null {
  // a page with most of the changes may stand beside the few that were looked at
  let changes = 0;
  let still = 0;
  for (const page of sample) {
    for (let k = offsets[page]; k < offsets[page + 1]; k++) {
      if (outcome[k] === unchanged) still++;
      else changes++;
    }
  }
  if (changes < fewestOfEach || still < fewestOfEach) {
    const sampled = sample.length < offsets.length - 1 ? `of the ${sample.length} pages looked at, ` : '';
    return `${sampled}${changes} checks saw a change and ${still} none; at least ${fewestOfEach} of each are needed to tell laws apart: every page is taken as Poisson`;
  }
  const spacing = elapsed.slice().sort()[elapsed.length >> 1];
  if (meanGap < sparsest * spacing) {
    return `the mean gap between updates, ${meanGap}, is below a third of the usual time between checks, ${spacing}: the law leaves no trace in such checks; check some pages more often`;
  }
  return null;
}

/** Says so where another law does about as well, or predicted better. */
function rivals(fits: readonly FamilyFit[]): Warning[] {
  const [best, ...others] = fits;
  if (best.family.name === 'exponential') return [];
  const warnings: Warning[] = [];
  const alike = others.filter(({ aic }) => aic < best.aic + 2).map(({ family }) => family.name);
  if (alike.length > 0) {
    const detail = `${alike.join(', ')} come within 2 of the AIC of ${best.family.name}: the checks hardly tell them apart`;
    warnings.push({ code: 'laws-alike', detail });
  }
  const better = others.filter(({ heldOut }) => heldOut > best.heldOut + 0.005).map(({ family }) => family.name);
  if (better.length > 0) {
    const detail = `${better.join(', ')} predicted the checks held out better than ${best.family.name}, by more than 0.005 a check`;
    warnings.push({ code: 'prediction-disagrees', detail });
  }
  return warnings;
}

/** Every page's mean gap at this law; a page without a check has the typical one. */
function pageMeans(history: CheckHistory, family: LawFamily, x: number, budget: Budget) {
  const pages = pageCount(history);
  const means = new Float64Array(pages);
  const checked = Uint32Array.from(
    Array.from({ length: pages }, (_, i) => i).filter((i) => history.offsets[i + 1] > history.offsets[i]),
  );
  const sample = samplePages(history, mostChangesSampled);
  const start = new PooledFit(checkRuns(history, sample, 0), roughMeans(history, sample));
  start.logLikelihood(family, x);
  means.fill(Math.exp(start.population.centre));
  for (let from = 0; from < checked.length; from += pagesPerRound) {
    if (budget.stopRequested()) return { means, unsettled: checked.length - from };
    const round = checked.subarray(from, from + pagesPerRound);
    const pool = new PooledFit(checkRuns(history, round, 0), roughMeans(history, round));
    pool.settleUnder(start.population, family, x);
    for (const [k, page] of round.entries()) means[page] = Math.exp(pool.theta[k]);
  }
  return { means, unsettled: 0 };
}
