/** Policies as they are answered, measured a second time for the certificate. */
import type { Measures } from '../../solvers/queue/measures.ts';
import { writtenPhases } from '../../solvers/queue/phase-type.ts';
import type { PhaseTypeLaw, Queue } from '../../solvers/queue/queue.ts';
import type { CrawlersByState } from '../../solvers/queue/state-policy.ts';
import { Unreadable } from '../wire.ts';
import type { ModeAt } from './queue-chain.ts';
import { remeasured } from './remeasured.ts';

/** The modes of a table. @throws Unreadable where it lacks a state, or names a count that is no mode */
export function modesOfTableAt(queue: Queue, service: PhaseTypeLaw, { phases, table }: CrawlersByState): ModeAt {
  const written = writtenPhases(service);
  const column = (arrival: number, m: number): number =>
    phases.findIndex(([v, phase]) => v === arrival && phase === written[m]);
  return (level, arrival, m) => {
    const count = table[level]?.[column(arrival, m)];
    const mode = queue.modes.findIndex(({ crawlers }) => crawlers === count);
    if (mode < 0) throw new Unreadable(`the table says ${count} crawlers at queue length ${level}, which is no mode`);
    return mode;
  };
}

/** The measures of a mixture in time from those of its tables; null where the chains would be larger than is kept. */
export function mixedMeasures(
  queue: Queue,
  service: PhaseTypeLaw,
  phases: CrawlersByState['phases'],
  mixture: readonly { readonly share: number; readonly table: CrawlersByState['table'] }[],
): Measures | null {
  const parts = mixture.map(({ share, table }) => ({
    share,
    measures: remeasured(queue, modesOfTableAt(queue, service, { phases, table })),
  }));
  const [{ measures: first }] = parts;
  if (parts.length === 1) return first;
  const mean = (of: (one: Measures) => number): number =>
    parts.reduce((sum, { share, measures }) => sum + share * (measures === null ? Number.NaN : of(measures)), 0);
  const pages = mean((one) => one.arrivalRate);
  const share = (of: (one: Measures) => number): number => mean((one) => one.arrivalRate * of(one)) / pages;
  const expired = share((one) => one.obsolescenceProbability);
  const served = share((one) => one.successProbability);
  if (Number.isNaN(pages)) return null;
  return {
    arrivalRate: pages,
    lossProbability: share((one) => one.lossProbability),
    obsolescenceProbability: expired,
    successProbability: served,
    starvationProbability: mean((one) => one.starvationProbability),
    activeCrawlers: mean((one) => one.activeCrawlers),
    queueLength: mean((one) => one.queueLength),
    responseTime: share((one) => one.successProbability * one.responseTime) / served,
    obsoleteSojournTime:
      expired > 0 ? share((one) => one.obsolescenceProbability * (one.obsoleteSojournTime ?? 0)) / expired : null,
    sojournTime: share((one) => one.sojournTime),
  };
}
