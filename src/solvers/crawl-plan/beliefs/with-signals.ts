/**
 * Beliefs of a plan in which some pages have signals: their rates from checks and signals together, their worth by
 * both.
 */
import { type Budget, NothingToReturn } from '../../budget.ts';
import { changed, unchanged } from '../../estimation/changes/check-history.ts';
import type { GammaPrior } from '../../estimation/changes/gamma-prior.ts';
import { isSignalObjective } from '../../signals/index.ts';
import type { SignalTable } from '../../signals/signal-table.ts';
import { type SignalledChecks, signalledRate } from '../../signals/signalled-rate.ts';
import type { CrawlPlanProblem, SignalEvidence } from '../model/plan-problem.ts';
import type { PageBeliefs } from './beliefs.ts';
import { type Ageing, eitherModel } from './refresh-model.ts';
import { qualityOf, type SignalledPages, SignalTables, signalledPages } from './signalled-pages.ts';

const pagesPerPoll = 1024;

export interface SignalBeliefs {
  readonly evidence: SignalEvidence;
  readonly prior: GammaPrior;
  /** By check, as its evidence fades. */
  readonly weights: Float64Array;
  readonly ageing: Ageing;
}

/** @throws NothingToReturn when the budget ends first */
export function withSignals(
  problem: CrawlPlanProblem,
  plain: PageBeliefs,
  { evidence, prior, weights, ageing }: SignalBeliefs,
  budget: Budget,
): PageBeliefs {
  const { changeRate, weight, lastCrawl, now } = problem;
  const { precision, recall } = evidence;
  const rate = Float64Array.from(plain.rate);
  const low = Float64Array.from(plain.low);
  const high = Float64Array.from(plain.high);
  const has = Uint8Array.from(precision, (value) => (Number.isNaN(value) ? 0 : 1));
  const age = lastCrawl.map((last) => (Number.isNaN(last) ? Number.POSITIVE_INFINITY : Math.max(0, now - last)));
  const { name } = ageing.cost;
  if (!isSignalObjective(name)) throw new TypeError(`signals have no rule under ${name}`);
  const tables = new SignalTables(name);
  const table = new Array<SignalTable | undefined>(rate.length).fill(undefined);
  for (let i = 0; i < rate.length; i++) {
    if ((i + 1) % pagesPerPoll === 0 && budget.stopRequested()) {
      throw new NothingToReturn(`stopped at the signals of page ${i} of ${rate.length}`);
    }
    if (has[i] === 0) continue;
    table[i] = tables.of(qualityOf(evidence, i));
    if (!Number.isNaN(changeRate[i])) continue;
    const found = signalledRate(seenOf(problem, evidence, weights, i), qualityOf(evidence, i), prior);
    rate[i] = found.rate;
    low[i] = found.low;
    high[i] = found.high;
  }
  const revised = (i: number, old: number): readonly [number, number] => {
    if (!Number.isNaN(changeRate[i]) || old === Number.POSITIVE_INFINITY) return [rate[i], rate[i]];
    const seen = seenOf(problem, evidence, weights, i);
    const after = (outcome: number): number =>
      signalledRate(seen, qualityOf(evidence, i), prior, { age: old, outcome, before: rate[i] }).rate;
    return [after(unchanged), after(changed)];
  };
  const pages: SignalledPages = { precision, recall, rate, weight, age, signals: evidence.since, revised };
  const initial = eitherModel(has, signalledPages(pages, table, ageing), plain.initial);
  const working = () => eitherModel(has, signalledPages(pages, table, ageing), plain.working());
  // signals are learnt from as they come: nothing is explored
  const known = plain.uncertainty?.known.map((own, i) => Math.max(own, has[i])) ?? has;
  const uncertainty = plain.uncertainty === null ? null : { ...plain.uncertainty, known };
  const { bursts } = plain;
  return { rate, low, high, initial, drifted: null, working, uncertainty, siblings: null, bursts, rhythm: null };
}

function seenOf(
  { history, lastCrawl, now }: CrawlPlanProblem,
  { byCheck, since }: SignalEvidence,
  weights: Float64Array,
  i: number,
): SignalledChecks {
  return {
    elapsed: history.elapsed,
    outcome: history.outcome,
    signals: byCheck,
    weight: weights,
    from: history.offsets[i],
    to: history.offsets[i + 1],
    since: Number.isNaN(lastCrawl[i]) ? 0 : Math.max(0, now - lastCrawl[i]),
    sinceSignals: since[i],
  };
}
