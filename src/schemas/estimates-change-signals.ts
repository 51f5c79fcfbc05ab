/** The wire shapes of `estimates/change-signals`. */

import * as z from 'zod';
import type { SolvedAnswer } from './contract/answer.ts';
import { count, moment, pageCount, plain, rate, share, time } from './contract/field.ts';
import { requestSchema } from './contract/options.ts';
import { quoted } from './contract/problem.ts';
import { real } from './contract/range.ts';
import { refusals } from './contract/refusals.ts';
import { changedSchema } from './parts/checks/checks-column.ts';
import { listFault } from './parts/list.ts';
import { type Column, numberColumn, textColumn } from './table/column.ts';
import { table } from './table/table.ts';
import { countText, share as percent } from './words/numbers.ts';

export const changeSignalsLimits = { pages: 200_000, checksPerPage: 10_000, hosts: 10_000 } as const;

const longestTime = 1e15;
const mostSignals = 1e6;

type SignalledCheck = readonly [elapsed: number, changed: boolean | 0 | 1, signals: number];

/** By page: elapsed, changed (1 or 0) and signals of each check, in threes. */
class SignalledChecksReader {
  readonly checks: (readonly number[])[];

  constructor(length: number) {
    this.checks = new Array<readonly number[]>(length).fill([]);
  }
}

function signalledChecksColumn(description: string): Column<SignalledChecksReader, readonly SignalledCheck[]> {
  const most = changeSignalsLimits.checksPerPage;
  return {
    required: true,
    broadcasts: false,
    cell: {
      type: 'array',
      'x-class': 'SignalledChecks',
      maxItems: most,
      items: {
        type: 'array',
        ...plain('A check with the signals before it', { component: 'SignalledCheck' }),
        minItems: 3,
        maxItems: 3,
        prefixItems: [
          { type: 'number', exclusiveMinimum: 0, maximum: longestTime, ...time('Time since the check before') },
          changedSchema,
          {
            type: 'integer',
            'x-class': 'SignalCount',
            minimum: 0,
            maximum: mostSignals,
            ...count('Signals since then', { unit: 'signals' }),
          },
        ],
      },
    },
    description,
    store(length) {
      const values = new SignalledChecksReader(length);
      return {
        values,
        set(position, cell) {
          const size = { minItems: 0, maxItems: most };
          const fault = listFault(cell, size, 'checks [elapsed, changed, signals]');
          if (fault || !Array.isArray(cell)) return fault;
          const read: number[] = [];
          for (let k = 0; k < cell.length; k++) {
            const check: unknown = cell[k];
            const wrong = checkFault(check);
            if (wrong !== null) return { path: [k], code: 'invalid_type', message: wrong };
            if (Array.isArray(check))
              read.push(Number(check[0]), check[1] === true || check[1] === 1 ? 1 : 0, Number(check[2]));
          }
          values.checks[position] = read;
          return null;
        },
      };
    },
  };
}

/** What is wrong with a check, in words; null for nothing. */
function checkFault(check: unknown): string | null {
  if (!Array.isArray(check) || check.length !== 3) return `must be [elapsed, changed, signals]; got ${quoted(check)}`;
  const [elapsed, changed, signals]: readonly unknown[] = check;
  if (typeof elapsed !== 'number' || !(elapsed > 0 && elapsed <= longestTime)) {
    return `must begin with the time since the check before, above 0; got ${quoted(elapsed)}`;
  }
  if (changed !== true && changed !== false && changed !== 0 && changed !== 1) {
    return `must say whether the page had changed: true, false, 1 or 0; got ${quoted(changed)}`;
  }
  if (typeof signals !== 'number' || !(Number.isInteger(signals) && signals >= 0 && signals <= mostSignals)) {
    return `must end with how many signals came, an integer from 0; got ${quoted(signals)}`;
  }
  return null;
}

const wireRequest = requestSchema({
  pages: table(
    {
      host: textColumn('Host of the page; pages without one form a group', { optional: true }),
      checks: signalledChecksColumn('Checks, oldest first: [time since the one before, changed, signals]'),
      lastCrawl: numberColumn(moment('Last check, on one clock; left out: all at one moment'), {
        atLeast: -longestTime,
        atMost: longestTime,
        optional: true,
      }),
    },
    { maxRows: changeSignalsLimits.pages, description: 'The pages with their checks and signals' },
  ),
  confidence: real({ atLeast: 0.5, atMost: 0.999999 })
    .default(0.95)
    .meta(share('Confidence of the intervals', { role: 'advanced' })),
});

export const changeSignalsRequest = wireRequest.transform((request, context) => {
  const refuse = refusals(context.issues);
  const { host, checks, lastCrawl } = request.pages.columns;
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
  const offsets = new Uint32Array(checks.checks.length + 1);
  for (const [i, list] of checks.checks.entries()) offsets[i + 1] = offsets[i] + list.length / 3;
  const total = offsets[checks.checks.length];
  if (total === 0) refuse(['pages'], 'too-few-checks', 'no page has a check', null);
  const elapsed = new Float64Array(total);
  const changed = new Uint8Array(total);
  const signals = new Float64Array(total);
  let k = 0;
  for (const list of checks.checks) {
    for (let c = 0; c < list.length; c += 3, k++) {
      elapsed[k] = list[c];
      changed[k] = list[c + 1];
      signals[k] = list[c + 2];
    }
  }
  const { confidence, options } = request;
  return {
    options,
    problem: {
      offsets,
      elapsed,
      changed,
      signals,
      host: hostOf,
      names: [...positions.keys()],
      lastCheck: lastCrawl,
      confidence,
    },
  };
});

const estimate = (what: string, kind: typeof share) =>
  z
    .object({
      value: z.number().meta(kind('The estimate')),
      interval: z.tuple([z.number(), z.number()]).meta(kind('[low, high] with the confidence asked for')),
    })
    .describe(what);

const fitShape = {
  precision: estimate('Share of the signals that are right', share),
  recall: estimate('Share of the changes that are signalled', share),
  signalRate: estimate('Signals of a page', rate),
  changeRate: estimate('Changes of a page', rate),
  pages: z.int().meta(pageCount('Pages with a check')),
  checks: z.int().meta(count('Their checks', { unit: 'checks' })),
  signals: z.int().meta(count('Signals between them', { unit: 'signals' })),
  changes: z.int().meta(count('Checks that saw a change', { unit: 'checks' })),
};

export const changeSignalsSolution = z.object({
  hosts: z
    .array(z.object({ host: z.string().nullable().describe('The host; null: pages without one'), ...fitShape }))
    .describe('The hosts with a check'),
  overall: z.object(fitShape).describe('All pages as one host'),
});

/** The answer in words: hosts one by one where they differ, for what is pooled tells of none of them. */
export function changeSignalsSentence({ solution }: SolvedAnswer<typeof changeSignalsSolution>): string {
  const { hosts, overall } = solution;
  if (hosts.length === 1) {
    return `${percent(overall.precision.value)} of the signals are right, and ${percent(overall.recall.value)} of the changes are signalled.`;
  }
  const right = hosts.map(({ precision }) => precision.value);
  const [low, high] = [Math.min(...right), Math.max(...right)];
  const named = (value: number): string => {
    const host = hosts.find(({ precision }) => precision.value === value)?.host ?? null;
    return host === null ? 'pages without a host' : `"${host}"`;
  };
  const ends = `from ${percent(low)} (${named(low)}) to ${percent(high)} (${named(high)})`;
  return `Over ${countText(hosts.length, 'host')} the share of signals that are right goes ${ends}; use each host's own.`;
}
