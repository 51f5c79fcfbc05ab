/** The wire shapes of `estimates/change-signals`. */

import * as z from 'zod';
import type { SolvedAnswer } from './contract/answer.ts';
import { count, type Field, moment, pageCount, plain, rate, share, time } from './contract/field.ts';
import { list } from './contract/list.ts';
import { requestSchema } from './contract/options.ts';
import { integer, interval, nameText, real } from './contract/range.ts';
import { refusals } from './contract/refusals.ts';
import { object } from './contract/strict-object.ts';
import { changedFlag, noMoreItems } from './parts/histories.ts';
import { table } from './table/table.ts';
import { countText, share as percent } from './words/numbers.ts';

export const changeSignalsLimits = { pages: 200_000, checksPerPage: 10_000, hosts: 10_000 } as const;

const longestTime = 1e15;

const check = z
  .tuple([
    real({ above: 0, atMost: longestTime }).meta(time('Time since the check before')),
    changedFlag,
    integer({ atLeast: 0, atMost: 1e6 }).meta({
      id: 'SignalCount',
      ...count('Signals since then', { unit: 'signals' }),
    }),
  ])
  .meta({ id: 'SignalledCheck', ...noMoreItems, ...plain('A check with the signals before it') });

const wireRequest = requestSchema({
  pages: table('ChangeSignalsPage', changeSignalsLimits.pages, 'The pages with their checks and signals', {
    host: nameText.optional().describe('Host of the page; pages without one form a group'),
    checks: list(check, { minItems: 0, maxItems: changeSignalsLimits.checksPerPage }).meta({
      id: 'SignalledChecks',
      ...plain('Checks, oldest first: [time since the one before, changed, signals]'),
    }),
    lastCrawl: real({ atLeast: -longestTime, atMost: longestTime })
      .optional()
      .meta(moment('Last check, on one clock; left out: all at one moment')),
  }),
  confidence: real({ atLeast: 0.5, atMost: 0.999999 })
    .default(0.95)
    .meta(share({ role: 'advanced' })),
});

export const changeSignalsRequest = wireRequest.transform(({ pages, confidence, options }, context) => {
  const refuse = refusals(context.issues);
  const { host, checks, lastCrawl } = pages.columns;
  const positions = new Map<string | null, number>();
  const hostOf = Int32Array.from(host, (name = '') => {
    const key = name === '' ? null : name;
    const at = positions.get(key) ?? positions.size;
    positions.set(key, at);
    return at;
  });
  if (positions.size > changeSignalsLimits.hosts) {
    const message = `pages may be of at most ${changeSignalsLimits.hosts} hosts; got ${positions.size}`;
    refuse(['pages'], 'too-large', message, positions.size);
  }
  const offsets = new Uint32Array(checks.length + 1);
  for (const [i, { length }] of checks.entries()) offsets[i + 1] = offsets[i] + length;
  const allChecks = checks.flat();
  if (allChecks.length === 0) refuse(['pages'], 'too-few-checks', 'no page has a check', null);
  return {
    options,
    problem: {
      offsets,
      elapsed: Float64Array.from(allChecks, ([elapsed]) => elapsed),
      changed: Uint8Array.from(allChecks, ([, changed]) => Number(changed)),
      signals: Float64Array.from(allChecks, ([, , signals]) => signals),
      host: hostOf,
      names: [...positions.keys()],
      lastCheck: lastCrawl,
      confidence,
    },
  };
});

const estimate = (id: string, kind: Field) =>
  object(id, { value: z.number().meta(kind), interval: interval.meta(kind) });
const shareEstimate = estimate('ChangeSignalsShare', share());
const rateEstimate = estimate('ChangeSignalsRate', rate());

const fitShape = {
  precision: shareEstimate.describe('Share of the signals that are right'),
  recall: shareEstimate.describe('Share of the changes that are signalled'),
  signalRate: rateEstimate.describe('Signals of a page'),
  changeRate: rateEstimate.describe('Changes of a page'),
  pages: z.int().meta(pageCount()),
  checks: z.int().meta(count({ unit: 'checks' })),
  signals: z.int().meta(count('Signals between them', { unit: 'signals' })),
  changes: z.int().meta(count('Checks that saw a change', { unit: 'checks' })),
};

export const changeSignalsSolution = object('ChangeSignalsSolution', {
  hosts: z
    .array(
      object('ChangeSignalsHost', {
        host: z.string().nullable().describe('The host; null: pages without one'),
        ...fitShape,
      }),
    )
    .describe('The hosts with a check; of each estimate its value and [low, high] with the confidence asked for'),
  overall: object('ChangeSignalsOverall', fitShape).describe('All pages as one host'),
});

export function changeSignalsSentence({ solution }: SolvedAnswer<typeof changeSignalsSolution>): string {
  const { hosts, overall } = solution;
  const of = hosts.length === 1 ? '' : ` over ${countText(hosts.length, 'host')}, each of which has its own`;
  return `${percent(overall.precision.value)} of the signals are right and ${percent(overall.recall.value)} of the changes are signalled${of}.`;
}
