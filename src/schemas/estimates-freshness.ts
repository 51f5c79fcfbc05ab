/** The wire shapes of `estimates/freshness`. */

import * as z from 'zod';
import type { SolvedAnswer } from './contract/answer.ts';
import { count, epochMoment, id, plain, probability, share, weight } from './contract/field.ts';
import { requestSchema } from './contract/options.ts';
import { flag, interval, nameText, numberOrNull, real } from './contract/range.ts';
import { object } from './contract/strict-object.ts';
import { latestTime } from './parts/epoch-times.ts';
import { table } from './table/table.ts';
import { countText, share as percent } from './words/numbers.ts';

export const freshnessLimits = { probes: 2_000_000 } as const;

const probeColumns = {
  time: real({ atLeast: 0, atMost: latestTime }).meta(epochMoment('When the probe was made')),
  page: nameText.meta(id('The page that was probed')),
  host: nameText.optional().meta(id('Host of the page, for freshness by host')),
  current: flag.meta(plain('Whether the copy was current')),
  weight: real({ above: 0, atMost: 1e100 })
    .default(1)
    .meta(weight('Weight of the probe, unless pages are drawn by weight')),
};

const wireRequest = requestSchema({
  probes: table(
    'FreshnessProbe',
    freshnessLimits.probes,
    'Fetches at random times, compared with the copy, in any order',
    probeColumns,
  ),
  confidence: real({ atLeast: 0.5, atMost: 0.999999 })
    .default(0.95)
    .meta(probability('Chance that an interval holds at all times together')),
});

export const freshnessRequest = wireRequest.transform(({ probes, confidence, options }) => {
  const { time, weight, host } = probes.columns;
  const current = Uint8Array.from(probes.columns.current, Number);
  const hosts = [...new Set(host.filter((name) => name !== undefined))];
  const position = new Map<string | undefined, number>(hosts.map((name, h) => [name, h]));
  const of = Int32Array.from(host, (name) => position.get(name) ?? -1);
  return { options, problem: { time, current, weight, host: of, hosts, confidence } };
});

const estimate = {
  value: numberOrNull.meta(share('Share of probes that found the copy current, by weight')),
  interval: interval.meta(share('Interval that holds at all times together')),
  probes: z.number().meta(count({ unit: 'probes' })),
};

export const freshnessSolution = object('FreshnessSolution', {
  freshness: object('FreshnessEstimate', estimate).meta(
    plain('The time average of the weighted freshness', { role: 'first' }),
  ),
  byHost: z
    .array(object('FreshnessByHost', { host: z.string().meta(id()), ...estimate }))
    .meta(plain('Freshness by host')),
});

export function freshnessSentence({ solution }: SolvedAnswer<typeof freshnessSolution>): string {
  const { value, interval, probes } = solution.freshness;
  const [low, high] = interval;
  if (value === null) return 'No probe counts: nothing is known of the copies.';
  return `${percent(value, 3)} of the copies were current (${percent(low, 3)} to ${percent(high, 3)}, ${countText(probes, 'probe')}).`;
}
