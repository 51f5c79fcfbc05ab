/** A target that no number of crawls reaches: how near it can come, which limit binds, and what would help. */
import * as z from 'zod';
import type { HostsEased, TargetMissed } from '../../../solvers/pages/targets/index.ts';
import { figure } from '../../../words/numbers.ts';
import { id, number, plain } from '../../contract/field.ts';
import { type MeasureName, toldOf } from '../objective-measures.ts';
import { saidMeasure } from './answer.ts';
import type { AskedTarget, OwnTarget } from './asked.ts';

export const targetConflict = z.object({
  detail: z.string().meta(plain('The target that cannot be reached, and how near one can come')),
  measure: z.string().meta(plain('The measure of the target')),
  target: z.number().meta(number('The target, in its measure')),
  reachable: z.number().meta(number('The best that any number of crawls reaches')),
  class: z.string().optional().meta(id('The class whose target it is')),
  host: z.string().optional().meta(id('The host whose target it is')),
  limits: z
    .array(
      z.object({
        limit: z.string().meta(plain('Property of the limit that binds')),
        host: z.string().optional().meta(id('The host whose limit it is')),
        price: z.number().meta(number('Gain of the measure by one more crawl at this limit')),
      }),
    )
    .meta(plain('The limits that bind, most expensive first, at most 20')),
  repairs: z
    .array(
      z.object({
        detail: z.string().meta(plain('The change in words')),
        changes: z
          .array(
            z.object({
              pointer: z.string().meta(plain('Where in the request, as a JSON pointer')),
              value: z.number().optional().meta(number('What to put there')),
              factor: z.number().optional().meta(number('What to multiply it by')),
              remove: z.boolean().optional().meta(plain('Whether to leave it out')),
            }),
          )
          .meta(plain('Changes that are needed together')),
      }),
    )
    .meta(plain('Lists of changes that would make it possible, smallest first')),
});

/** A limit that binds. */
export interface BindingLimit {
  readonly limit: string;
  readonly host?: string;
  readonly price: number;
}

/** What is left below this is none but for rounding. */
const asGoodAsNone = 1e-6;

export interface Repair {
  readonly detail: string;
  readonly changes: readonly {
    readonly pointer: string;
    readonly value?: number;
    readonly factor?: number;
    readonly remove?: boolean;
  }[];
}

/** Hosts' limits in a request. */
export interface HostLimits {
  readonly limit: 'maxCrawls' | 'maxRate';
  readonly hosts: readonly { readonly host: string; readonly most: number }[];
}

/** The hosts whose limits bind, the most expensive first; prices in the measure. */
export const bindingHosts = (
  { limit, hosts }: HostLimits,
  hostPrice: Float64Array,
  toMeasure: (price: number) => number,
): BindingLimit[] =>
  Array.from(hostPrice, (price, h) => ({ limit, host: hosts[h].host, price: toMeasure(price) }))
    .filter(({ price }) => price > 0)
    .sort((a, b) => b.price - a.price);

/** The limits of hosts, raised to what the target takes. */
export function raisedLimits({ limit, hosts }: HostLimits, eased: readonly HostsEased[]): Repair[] {
  const whole = limit === 'maxCrawls';
  return eased.map(({ hosts: raised, factor }) => ({
    detail:
      raised.length === 1
        ? `raise ${limit} of host ${hosts[raised[0]].host} by a factor of ${figure(factor, 3)}`
        : `raise ${limit} of the ${raised.length} hosts that bind by a factor of ${figure(factor, 3)}`,
    changes: raised.map((h) => ({
      pointer: `/hosts/${h}/${limit}`,
      value: whole ? Math.ceil(hosts[h].most * factor) : hosts[h].most * factor,
    })),
  }));
}

type OneMissed = Pick<TargetMissed, 'group' | 'least'>;
type Missed = OneMissed & { readonly others: readonly OneMissed[] };

/** The target that is missed, and the best that can be reached, in its measure. */
function missedBy(asked: AskedTarget, { group, least }: OneMissed) {
  const own = group < 0 ? null : asked.owns[group];
  const measure = own?.measure ?? asked.measure;
  const scale = own?.scale ?? asked.scale;
  return { own, measure, reachable: toldOf(measure, scale > 0 ? least / scale : 0) };
}

/**
 * Lesser targets that are easily kept, of all that are missed; none where nothing would be asked for.
 *
 * @param beside how many times as far from what can be reached as the least that is easily kept
 */
export function askingLess(asked: AskedTarget, missed: Missed, beside = 1): Repair[] {
  const several = missed.others.length > 0;
  const words: string[] = [];
  const changes: Repair['changes'][number][] = [];
  for (const one of [missed, ...missed.others]) {
    const { own, measure, reachable } = missedBy(asked, one);
    const value = easilyKept(measure, reachable, beside);
    if (value === null) return [];
    words.push(`a ${saidMeasure(measure, value)}${several ? whose(own) : ''}`);
    changes.push({ pointer: one.group < 0 ? `/target/${measure}` : `/targets/${one.group}/${measure}`, value });
  }
  return [{ detail: `ask for ${words.join(' and ')}`, changes }];
}

/** Of whom a target is, in words. */
function whose(own: OwnTarget | null): string {
  if (own === null) return '';
  return ` for ${own.class === undefined ? `host ${own.host}` : `class ${own.class}`}`;
}

/** The conflict of a target that was missed, with the limits that bind and what would make it possible. */
export function missedTarget(
  asked: AskedTarget,
  missed: OneMissed,
  limits: readonly BindingLimit[],
  repairs: readonly Repair[],
) {
  const { own, measure, reachable } = missedBy(asked, missed);
  const target = own?.value ?? asked.value ?? 0;
  const detail = `a ${saidMeasure(measure, target)}${whose(own)} cannot be reached: ${atBest(measure, reachable, limits)}${boundBy(limits)}`;
  return {
    detail,
    measure,
    target,
    reachable,
    ...(own?.class !== undefined && { class: own.class }),
    ...(own?.host !== undefined && { host: own.host }),
    limits: limits.slice(0, 20),
    repairs: [...repairs],
  };
}

/** How near the target any number of crawls comes. */
function atBest(measure: MeasureName, reachable: number, limits: readonly BindingLimit[]): string {
  if (limits.length > 0) return `the limits leave ${figure(reachable, 6)} at best`;
  const left = measure === 'freshness' ? 1 - reachable : reachable;
  if (left < asGoodAsNone) return 'crawls bring it as near as you like, but no number of them reaches it';
  return `no number of crawls brings it ${measure === 'freshness' ? 'above' : 'below'} ${figure(reachable, 6)}`;
}

function boundBy(limits: readonly BindingLimit[]): string {
  if (limits.length === 0) return '';
  const [first] = limits;
  return `; ${first.limit}${first.host === undefined ? '' : ` of host ${first.host}`} binds most`;
}

/** A target that is kept with a number of crawls that people have: half a hundredth beside what is reachable. */
export function easilyKept(measure: MeasureName, reachable: number, beside: number): number | null {
  if (measure === 'freshness') {
    const kept = reachable - beside * (0.005 * (1 - reachable) + 1e-4);
    return kept > 0 ? Number(kept.toPrecision(4)) : null;
  }
  const kept = reachable * (1 + 0.005 * beside) + beside * (measure === 'staleness' ? 1e-4 : 1e-9);
  return measure === 'staleness' && kept >= 1 ? null : Number(kept.toPrecision(4));
}
