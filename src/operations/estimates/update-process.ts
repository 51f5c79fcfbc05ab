import type * as z from 'zod';
import {
  updateProcessLimits,
  updateProcessRequest,
  updateProcessSentence,
  updateProcessSolution,
} from '../../schemas/estimates-update-process.ts';
import { checksOfPages } from '../../schemas/parts/checks/checks-column.ts';
import type { Budget } from '../../solvers/budget.ts';
import {
  type Periodicity,
  periodicityWork,
  requireNearGaps,
  solvePagesApart,
  solveUpdateProcess,
  solveUpdateProcessFromChecks,
} from '../../solvers/estimation/index.ts';
import type { Distribution } from '../../solvers/laws/index.ts';
import { defineOperation } from '../operation.ts';

type FromChecks = NonNullable<z.output<typeof updateProcessRequest>['checked']>;

/** Which law the gaps between updates follow. */
export const updateProcess = defineOperation({
  name: 'estimates/update-process',
  tag: 'estimates',
  summary: 'Which law the gaps between a page’s updates follow',
  description: [
    'From `gaps`: exponential, Weibull, Lomax, gamma and lognormal laws by maximum likelihood, the open gap censored, ranked by AIC. A',
    'Rayleigh test over all periods looks for a clock; if updates keep to one, the answer proposes a quasi-deterministic process for',
    '`crawl-allocation`.',
    '',
    'From `pages` with `checks` or `observations`: the same laws, and a period with jitter, as renewal processes in equilibrium, by a forward',
    'recursion over the age of the last update. Pages share the shape, each with its own mean gap; with `pooled: false` each has its own',
    'law. `identified` is false if the checks are too sparse. `solution.pages` goes into `crawl-allocation`.',
    '',
    'Source: J. L. Wolf et al., WWW 2002, sections 2 and 4; J. F. Lawless, *Statistical models and methods for lifetime data* (2003).',
  ].join('\n'),
  request: updateProcessRequest,
  solution: updateProcessSolution,
  sentence: updateProcessSentence,
  beside: {},
  examples: [
    { name: 'update-process', summary: 'Bursty updates, the last gap still open' },
    { name: 'update-process-checks', summary: 'Twelve pages whose checks show more regular updates than Poisson' },
    { name: 'update-process-clock', summary: 'A page updated around noon on most days' },
  ],
  limits: updateProcessLimits,
  pairs: checksOfPages,
  work({ gaps, openGap = 0, checked }) {
    if (checked === null) {
      requireNearGaps({ gaps: Float64Array.from(gaps), openGap });
      return 20_000 * gaps.length + periodicityWork(gaps.length);
    }
    const checks = checked.history.elapsed.length;
    return 3e6 * Math.min(checked.pooled ? 1000 : Number.POSITIVE_INFINITY, checks) + 60_000 * checks;
  },
  solve({ gaps, openGap = 0, checked }, budget) {
    if (checked !== null) return fromChecks(checked, budget);
    const { candidates, periodicity, warnings } = solveUpdateProcess(
      { gaps: Float64Array.from(gaps), openGap },
      budget,
    );
    return {
      status: 'evaluated',
      solution: {
        candidates,
        periodicity: periodicity === null ? null : { ...periodicity, updates: clockOf(periodicity) },
      },
      warnings,
      statistics: { solver: 'maximum-likelihood', gaps: gaps.length, candidates: candidates.length },
    };
  },
});

function fromChecks({ history, pages, pooled }: FromChecks, budget: Budget) {
  const sizes = { solver: 'age-recursion', checks: history.elapsed.length, pages: pages.length };
  if (!pooled) {
    const { pages: apart, warnings } = solvePagesApart(history, budget);
    const told = processColumns(
      pages.form,
      apart.map(({ distribution }) => distribution),
    );
    const candidates = apart.map((page) => page.candidates);
    const identified = apart.map((page) => page.identified);
    return {
      status: 'evaluated' as const,
      solution: {
        candidates: [],
        pages: { ...told.columns, identified, candidates },
        periodicity: null,
      },
      warnings: [...warnings, ...told.warnings],
      statistics: sizes,
    };
  }
  const { candidates, identified, distributions, pagesSampled, warnings } = solveUpdateProcessFromChecks(
    history,
    budget,
  );
  const told = processColumns(pages.form, distributions);
  return {
    status: 'evaluated' as const,
    solution: {
      candidates,
      identified,
      pages: told.columns,
      periodicity: null,
    },
    warnings: [...warnings, ...told.warnings],
    statistics: { ...sizes, pagesSampled },
  };
}

/** The pages' processes as crawl-allocation takes them, in rows or in its columns, which have no uniform gaps. */
function processColumns(form: 'rows' | 'columns', laws: readonly Distribution[]) {
  const changeRate = laws.map((law) => (law.type === 'exponential' ? law.rate : undefined));
  if (form === 'rows') return { columns: { changeRate, updates: laws.map(processOf) }, warnings: [] };
  const shown = laws.map((law) => (law.type === 'uniform' ? gammaLike(law) : law));
  const cell = (name: string): Float64Array =>
    Float64Array.from(shown, (law) => Number(Object.entries(law).find(([key]) => key === name)?.[1] ?? Number.NaN));
  const process = shown.map(({ type }) => (type === 'exponential' ? 'poisson' : type));
  const numbers = {
    changeRate: Float64Array.from(changeRate, (rate) => rate ?? Number.NaN),
    rate: cell('rate').map((rate, i) => (shown[i].type === 'gamma' ? rate : Number.NaN)),
    shape: cell('shape'),
    scale: cell('scale'),
    mu: cell('mu'),
    sigma: cell('sigma'),
  };
  const evened = laws.filter(({ type }) => type === 'uniform').length;
  const detail = `${evened} pages keep to a period with jitter, which the columns of crawl-allocation do not have: they are told as gamma gaps of the same mean and variance; send rows for the law itself`;
  return { columns: { process, ...numbers }, warnings: evened > 0 ? [{ code: 'periodic-as-gamma', detail }] : [] };
}

function gammaLike({ min, max }: Extract<Distribution, { type: 'uniform' }>): Distribution {
  const mean = (min + max) / 2;
  const shape = (12 * mean * mean) / (max - min) ** 2;
  return { type: 'gamma', shape, rate: shape / mean };
}

const processOf = (law: Distribution) =>
  law.type === 'exponential' ? undefined : { type: 'renewal' as const, distribution: law };

function clockOf({ proposed, phase, probability }: Periodicity) {
  return proposed ? { type: 'quasi-deterministic' as const, times: [phase], probabilities: [probability] } : null;
}
