/** The wire shapes of `estimates/freshness`. */

import * as z from 'zod';
import { day } from '../solvers/day.ts';
import { counted, figure, share as percent } from '../words/numbers.ts';
import type { Told } from './contract/answer.ts';
import { count, epochMoment, id, plain, probability, share, time, weight } from './contract/field.ts';
import { requestSchema } from './contract/options.ts';
import { integer, numberOrNull, real } from './contract/range.ts';
import { refusals } from './contract/refusals.ts';
import { latestTime } from './parts/epoch-times.ts';
import { choiceColumn, flagColumn, numberColumn, textColumn } from './table/column.ts';
import { table } from './table/table.ts';

export const freshnessLimits = { probes: 2_000_000 } as const;

const probeColumns = {
  time: numberColumn(epochMoment('When the probe was made'), { atLeast: 0, atMost: latestTime }),
  page: textColumn(id('The page that was probed'), { broadcasts: false }),
  host: textColumn(id('Host of the page, for freshness by host'), { optional: true }),
  current: flagColumn(plain('Whether the copy was current')),
  weight: numberColumn(weight('Weight of the probe, unless pages are drawn by weight'), {
    above: 0,
    atMost: 1e100,
    optional: true,
    absent: 1,
  }),
  arm: choiceColumn(
    plain('Rule that crawled the page then; left out: by the coin of `seed`'),
    ['none', 'plan', 'incumbent'],
    { optional: true, absent: 'none' },
  ),
  forecast: numberColumn(probability('Forecast of `current`, blind to the arm; left out: the mean so far'), {
    atLeast: 0,
    atMost: 1,
    optional: true,
  }),
};

const wireRequest = requestSchema({
  probes: table(probeColumns, {
    maxRows: freshnessLimits.probes,
    description: 'Fetches at random times, compared with the copy, in any order',
  }),
  seed: z.string().min(1).max(200).optional().meta(id('Seed of the trial’s coin')),
  period: real({ above: 0, atMost: 1e10 })
    .default(day)
    .meta(time('Period in which a page keeps its arm, counted from 1970')),
  unit: z
    .enum(['page', 'host'])
    .default('page')
    .meta(plain('What the coin deals; hosts if their pages change together')),
  settling: real({ atLeast: 0, atMost: 1e10 })
    .optional()
    .meta(
      time('Start of each period that does not count; left out: a quarter', {
        role: 'advanced',
      }),
    ),
  confidence: real({ atLeast: 0.5, atMost: 0.999999 })
    .default(0.95)
    .meta(probability('Chance that an interval holds at all times together')),
  history: integer({ atLeast: 0, atMost: 1000 })
    .default(0)
    .meta(count('Past moments to answer for, evenly spread over the probes', { unit: 'moments' })),
});

/** Names by their first appearance, and each row's position among them; -1 where it has none. */
function numbered(names: readonly (string | undefined)[]): { readonly names: string[]; readonly of: Int32Array } {
  const positions = new Map<string, number>();
  // A loop: with millions of names the iterator of Int32Array.from takes as long as all the rest.
  const of = new Int32Array(names.length);
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    const known = name === undefined ? -1 : positions.get(name);
    of[i] = known ?? positions.size;
    if (name !== undefined && known === undefined) positions.set(name, positions.size);
  }
  return { names: [...positions.keys()], of };
}

/** The sign of an arm, by its position in the words of the column. */
const signs = [0, 1, -1];

export const freshnessRequest = wireRequest.transform((request, context) => {
  const { probes, seed, period, unit, settling = period / 4, confidence, history } = request;
  const { page, arm, host, ...columns } = probes.columns;
  const refuse = refusals(context.issues);
  const hosts = numbered(host);
  const isTrial = seed !== undefined || arm.some((each) => each !== 0);
  const unhosted = unit === 'host' && isTrial ? hosts.of.indexOf(-1) : -1;
  if (unhosted >= 0) {
    const path = probes.form === 'rows' ? ['probes', unhosted, 'host'] : ['probes', 'host', unhosted];
    refuse(path, 'host-missing', 'is needed where hosts are the units', undefined);
  }
  const units = unit === 'host' ? hosts : isTrial ? numbered(page) : { names: [], of: new Int32Array(0) };
  const sign = new Int8Array(arm.length);
  for (let i = 0; i < arm.length; i++) sign[i] = signs[arm[i]];
  const trial = { period, settling, unit: units.of, units: units.names, seed: seed ?? null, arm: sign };
  const problem = {
    ...columns,
    host: hosts.of,
    hosts: hosts.names,
    trial: isTrial ? trial : null,
    confidence,
    history,
  };
  return { options: request.options, problem };
});

const interval = z.tuple([z.number(), z.number()]).meta(share('Interval that holds at all times together'));
const estimate = {
  value: numberOrNull.meta(share('Share of probes that found the copy current, by weight')),
  interval,
  probes: z.number().meta(count('Probes that count here', { unit: 'probes' })),
};

const byArm = z
  .object({
    plan: z.object(estimate).meta(plain('Under the plan')),
    incumbent: z.object(estimate).meta(plain('Under the incumbent rule')),
  })
  .nullable()
  .meta(plain('Freshness of each arm; null without a trial'));

const difference = z
  .object({
    value: numberOrNull.meta(share('Freshness of the plan minus the incumbent’s')),
    interval,
    probes: estimate.probes,
  })
  .nullable()
  .meta(plain('Gain of the plan; null without a trial', { role: 'first' }));

export const freshnessSolution = z.object({
  freshness: z.object(estimate).meta(plain('The time average of the weighted freshness', { role: 'first' })),
  byArm,
  byHost: z.array(z.object({ host: z.string().meta(id('The host')), ...estimate })).meta(plain('Freshness by host')),
  difference,
  verdict: z
    .enum(['take-over', 'roll-back', 'go-on'])
    .nullable()
    .meta(plain('take-over: the interval lies above 0; roll-back: below; go-on: neither', { role: 'first' })),
  probesNeeded: numberOrNull.meta(
    count('Counted probes that a verdict will probably need; null: unknown', { unit: 'probes' }),
  ),
  leftOut: z
    .object({
      repeated: z.number().meta(count('Not the first of the unit in a period', { unit: 'probes' })),
      settling: z.number().meta(count('Too early in the period', { unit: 'probes' })),
      withoutArm: z.number().meta(count('Without arm and seed', { unit: 'probes' })),
    })
    .nullable()
    .meta(plain('Probes that do not count, by reason; null without a trial')),
  history: z
    .array(
      z.object({
        time: z.number().meta(epochMoment('Time of the last probe until then')),
        freshness: z.object(estimate).meta(plain('The freshness as it was told then')),
        byArm,
        difference,
      }),
    )
    .meta(plain('With history: the answer at past moments, oldest first')),
});

export function freshnessSentence({ solution }: Told<typeof freshnessSolution>): string {
  const { freshness, difference, verdict, probesNeeded } = solution;
  const [low, high] = freshness.interval;
  if (freshness.value === null) return 'No probe counts: nothing is known of the copies.';
  const said = `${percent(freshness.value, 3)} of the copies were current (${percent(low, 3)} to ${percent(high, 3)}, ${counted(freshness.probes, 'probe')})`;
  if (difference === null) return `${said}.`;
  if (difference.value === null) return `${said}; no probe counts for the difference of the arms yet.`;
  const gain = `the plan gains ${figure(difference.value, 3)} (${figure(difference.interval[0], 3)} to ${figure(difference.interval[1], 3)})`;
  const next =
    verdict === 'go-on'
      ? probesNeeded === null
        ? 'go on'
        : `go on: a verdict will probably take ${counted(probesNeeded, 'probe')} in all`
      : verdict === 'take-over'
        ? 'take over'
        : 'roll back';
  return `${said}; ${gain}: ${next}.`;
}
