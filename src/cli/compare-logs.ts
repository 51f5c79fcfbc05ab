/**
 * `compare`: what the model expects of the log's own rule, of all pages in turn and of the plan, at equal fetches. It
 * measures nothing; estimates/freshness does.
 */
import {
  type ComparedRules,
  compareRules,
  type Expected,
  fetchRateOf,
  gapsOf,
  type UncertainRate,
} from '../logs/compared-rules.ts';
import type { CrawlLog } from '../logs/read-log.ts';
import { day } from '../solvers/day.ts';
import { counted, figure, share } from '../words/numbers.ts';
import type { LogCommand } from './log-arguments.ts';
import { loggedFetches, solved } from './plan-logs.ts';
import { exitCodes } from './solve-requests.ts';
import { writeOut } from './write-output.ts';

/** Does what the command says and returns the exit code. */
export async function compareLogs(command: LogCommand): Promise<number> {
  const log = await loggedFetches(command);
  if (command.preview) return exitCodes.answered;
  const model = await modelOf(log, asking);
  if ('refused' in model) return model.refused;
  const { pages, gaps, frequencies, rates } = model;
  const compared = compareRules(gaps, frequencies, rates);
  await writeOut(command.json ? JSON.stringify({ pages: pages.length, ...compared }) : sentence(compared, pages, log));
  return exitCodes.answered;
}

/** What a model makes of a log: the pages with a history, their gaps, their rates, and the plan's frequencies. */
interface LogModel {
  readonly pages: CrawlLog['pages'];
  readonly gaps: readonly (readonly number[])[];
  /** Fetches a second under the plan, as many in all as the log has. */
  readonly frequencies: Float64Array;
  readonly rates: readonly UncertainRate[];
}

/** A question that got no answer, and what is said of it. */
interface Unanswered<Refusal> {
  readonly refused: Refusal;
}

/** Asks an operation, here or elsewhere. */
export type Ask<Refusal> = (
  operation: string,
  request: object,
) => Promise<{ readonly json: string } | Unanswered<Refusal>>;

/** Asks in a thread of the command line; the refusal is its exit code. */
export const asking: Ask<number> = async (operation, request) => {
  const outcome = await solved(operation, request);
  return typeof outcome === 'number' ? { refused: outcome } : outcome;
};

/** The model of a log, or why a question that it needs got no answer. */
export async function modelOf<Refusal>(log: CrawlLog, ask: Ask<Refusal>): Promise<LogModel | Unanswered<Refusal>> {
  const known = withGaps(log);
  const { pages } = known;
  const rates = await ask('estimates/change-rates', {
    pages: pages.map(({ id, observations }) => ({ id, observations })),
    prior: 'empirical-bayes',
  });
  if ('refused' in rates) return rates;
  const estimated: Rates = JSON.parse(rates.json);
  const gaps = gapsOf(known);
  const fetchRate = fetchRateOf(gaps);
  const frequencies = await ask('access-frequencies', {
    pages: { changeRate: estimated.solution.pages.map(({ rate }) => rate), weight: 1 },
    accessTime: { type: 'deterministic', value: 1 / fetchRate },
    policy: 'deterministic',
  });
  if ('refused' in frequencies) return frequencies;
  const optimum: Frequencies = JSON.parse(frequencies.json);
  const planned = Float64Array.from(optimum.solution.pages.frequency, (each) => each * fetchRate);
  return { pages, gaps, frequencies: planned, rates: estimated.solution.pages };
}

interface Rates {
  readonly solution: {
    readonly pages: readonly { readonly rate: number; readonly interval: [number, number | null] }[];
  };
}

interface Frequencies {
  readonly solution: { readonly pages: { readonly frequency: readonly number[] } };
}

/** The log with the pages alone that some time has passed over since their first fetch. */
function withGaps(log: CrawlLog): CrawlLog {
  const gaps = gapsOf(log);
  return { ...log, pages: log.pages.filter((_, i) => gaps[i].length > 0) };
}

const range = ({ value, interval: [low, high] }: Expected): string =>
  `${share(value)} of the time (${share(low)} to ${share(high)})`;

function sentence({ fetchRate, stale, gain }: ComparedRules, pages: CrawlLog['pages'], log: CrawlLog): string {
  const { own, inTurn, plan } = stale;
  const [low, high] = gain.interval;
  const left = log.pages.length - pages.length;
  return [
    `${figure(fetchRate * day, 3)} fetches a day of ${counted(pages.length, 'page')}: by a plan stale ${share(plan.value)} of the time; as you crawl now ${share(own.value)}; in turn ${share(inTurn.value)}.`,
    '',
    `  as you crawl now   stale ${range(own)}`,
    `  in turn            stale ${range(inTurn)}`,
    `  by a plan          stale ${range(plan)}`,
    '',
    `The plan gains ${figure(gain.value, 2)} of freshness (${figure(low, 2)} to ${figure(high, 2)}). A model expects this; it is no proof.`,
    ...(left > 0 ? [`${counted(left, 'page')} fetched once, at the end of the log, left out.`] : []),
  ].join('\n');
}
