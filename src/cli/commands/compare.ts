/**
 * `compare`: the expected freshness of the log's own rule, of all pages in turn and of the plan, at the same number of
 * fetches. It is a model's expectation; estimates/freshness measures.
 */
import {
  type ComparedRules,
  compareRules,
  type ExpectedValue,
  fetchGaps,
  totalFetchRate,
  type UncertainRate,
} from '../../logs/compare-rules.ts';
import { countText, figure, share } from '../../schemas/words/numbers.ts';
import { day } from '../../solvers/day.ts';
import { exitCodes, UnreadableInput } from '../failures.ts';
import { flagOption, readOptions } from '../options.ts';
import { writeStdout } from '../output.ts';
import { logOptions, optionsPage, queryOf } from './log-options.ts';
import { readFetches, solveRequest } from './plan.ts';

const options = {
  json: flagOption('the figures as JSON in place of sentences'),
  ...logOptions,
} as const;

export const help = {
  usage: 'compare <log ...>',
  description: `Reads crawl logs in files, packed or not, or on stdin (-), and says what to expect of three rules at as many fetches:
your own as it was, all pages in turn, and the plan. It is what a model expects of Poisson changes, with the interval
that the uncertainty of the rates leaves; it is no proof.`,
  example: 'compare examples/quick-start/crawl-log.ndjson',
  options,
  page: optionsPage,
};

export async function run(words: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(words, options);
  const log = await readFetches(positionals, queryOf(values));
  // only pages with time between their first fetch and the end of the log
  const allGaps = fetchGaps(log);
  const pages = log.pages.filter((_, i) => allGaps[i].length > 0);
  if (pages.length === 0) {
    throw new UnreadableInput(
      `${positionals.join(', ')}: no page was fetched twice, so there are no intervals to compare`,
    );
  }
  const gaps = fetchGaps({ ...log, pages });
  const rates = await solveRequest<{ solution: { pages: readonly UncertainRate[] } }>('estimates/change-rates', {
    pages: pages.map(({ id, observations }) => ({ id, observations })),
    prior: 'empirical-bayes',
  });
  if (typeof rates === 'number') return rates;
  const pageRates = rates.solution.pages;
  const fetchRate = totalFetchRate(gaps);
  const plan = await solveRequest<{ solution: { pages: { frequency: readonly number[] } } }>('access-frequencies', {
    pages: { changeRate: pageRates.map(({ rate }) => rate), weight: 1 },
    accessTime: { type: 'deterministic', value: 1 / fetchRate },
    policy: 'deterministic',
  });
  if (typeof plan === 'number') return plan;
  const frequencies = Float64Array.from(plan.solution.pages.frequency, (each) => each * fetchRate);
  const comparison = compareRules(gaps, frequencies, pageRates);
  const droppedPages = log.pages.length - pages.length;
  await writeStdout(
    values.json === true
      ? JSON.stringify({ pages: pages.length, ...comparison })
      : sentences(comparison, pages.length, droppedPages),
  );
  return exitCodes.answered;
}

const range = ({ value, interval: [low, high] }: ExpectedValue): string =>
  `${share(value)} of the time (${share(low)} to ${share(high)})`;

function sentences({ fetchRate, stale, gain }: ComparedRules, pages: number, droppedPages: number): string {
  const { own, inTurn, plan } = stale;
  const [low, high] = gain.interval;
  return [
    `${figure(fetchRate * day, 3)} fetches a day of ${countText(pages, 'page')}: by a plan stale ${share(plan.value)} of the time; as you crawl now ${share(own.value)}; in turn ${share(inTurn.value)}.`,
    '',
    `  as you crawl now   stale ${range(own)}`,
    `  in turn            stale ${range(inTurn)}`,
    `  by a plan          stale ${range(plan)}`,
    '',
    `The plan gains ${figure(gain.value, 2)} of freshness (${figure(low, 2)} to ${figure(high, 2)}). A model expects this; it is no proof.`,
    ...(droppedPages > 0 ? [`${countText(droppedPages, 'page')} fetched once, at the end of the log, left out.`] : []),
  ].join('\n');
}
