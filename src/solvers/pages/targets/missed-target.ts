/** A target that no number of crawls reaches: how near it can come, which limit binds, and what would help. */

import type { Conflict } from '../../answer.ts';
import { figure, share as percent } from '../../figures.ts';
import type { AskedTarget, OwnTarget } from './asked.ts';
import type { HostsEased } from './least-factor.ts';
import { leftOf, type MeasureName, toldOf } from './measures.ts';
import type { TargetMissed } from './problem.ts';

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
interface NamedLimits {
  readonly limit: 'maxCrawls' | 'maxRate';
  readonly hosts: readonly { readonly host: string; readonly most: number }[];
}

/** The hosts whose limits bind, the most expensive first; prices in the measure. */
export const bindingHosts = (
  { limit, hosts }: NamedLimits,
  hostPrice: Float64Array,
  toMeasure: (price: number) => number,
): BindingLimit[] =>
  Array.from(hostPrice, (price, h) => ({ limit, host: hosts[h].host, price: toMeasure(price) }))
    .filter(({ price }) => price > 0)
    .sort((a, b) => b.price - a.price);

/** The limits of hosts, raised to what the target takes. */
export function raisedLimits({ limit, hosts }: NamedLimits, eased: readonly HostsEased[]): Repair[] {
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

/** What each missed target would be where it is easily kept; null where nothing would be asked for. */
function lesserTargets(asked: AskedTarget, missed: Missed, beside: number) {
  const lesser = [];
  for (const one of [missed, ...missed.others]) {
    const { own, measure, reachable } = missedBy(asked, one);
    const value = easilyKept(measure, reachable, beside);
    if (value === null) return null;
    lesser.push({ group: one.group, own, measure, value });
  }
  return lesser;
}

/**
 * Lesser targets that are easily kept, of all that are missed; none where nothing would be asked for.
 *
 * @param beside how many times as far from what can be reached as the least that is easily kept
 */
export function askingLess(asked: AskedTarget, missed: Missed, beside = 1): Repair[] {
  const lesser = lesserTargets(asked, missed, beside);
  if (lesser === null) return [];
  const words = lesser.map(
    ({ own, measure, value }) => `a ${saidMeasure(measure, value)}${lesser.length > 1 ? whose(own) : ''}`,
  );
  const changes = lesser.map(({ group, measure, value }) => ({
    pointer: group < 0 ? `/target/${measure}` : `/targets/${group}/${measure}`,
    value,
  }));
  return [{ detail: `ask for ${words.join(' and ')}`, changes }];
}

/** What is left of the weight at most where the missed targets are the lesser ones; null where nothing would be asked. */
export function lesserLimits(
  asked: AskedTarget,
  missed: Missed,
  beside: number,
): Pick<AskedTarget, 'whole' | 'own'> | null {
  const lesser = lesserTargets(asked, missed, beside);
  if (lesser === null) return null;
  let { whole } = asked;
  const limit = asked.own?.limit.slice() ?? new Float64Array(0);
  for (const { group, own, measure, value } of lesser) {
    if (own === null) whole = leftOf(measure, value) * asked.scale;
    else limit[group] = leftOf(measure, value) * own.scale;
  }
  return { whole, own: asked.own && { ...asked.own, limit } };
}

/** Of whom a target is, in words. */
function whose(own: OwnTarget | null): string {
  if (own === null) return '';
  return ` for ${own.class === undefined ? `host ${own.host}` : `class ${own.class}`}`;
}

/** The conflict of a target that was missed. */
export interface TargetConflict extends Conflict {
  readonly measure: MeasureName;
  readonly target: number;
  readonly reachable: number;
  readonly class?: string;
  readonly host?: string;
  readonly limits: readonly BindingLimit[];
  readonly repairs: readonly Repair[];
}

/** The conflict of a target that was missed, with the limits that bind and what would make it possible. */
export function missedTarget(
  asked: AskedTarget,
  missed: OneMissed,
  limits: readonly BindingLimit[],
  repairs: readonly Repair[],
): TargetConflict {
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
    repairs,
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
function easilyKept(measure: MeasureName, reachable: number, beside: number): number | null {
  if (measure === 'freshness') {
    const kept = reachable - beside * (0.005 * (1 - reachable) + 1e-4);
    return kept > 0 ? Number(kept.toPrecision(4)) : null;
  }
  const kept = reachable * (1 + 0.005 * beside) + beside * (measure === 'staleness' ? 1e-4 : 1e-9);
  return measure === 'staleness' && kept >= 1 ? null : Number(kept.toPrecision(4));
}

/** A value of a measure, in words: what is nearly all or nothing does not read as that. */
function saidMeasure(measure: MeasureName, value: number): string {
  if (measure !== 'freshness' && measure !== 'staleness') return `${measure} of ${figure(value)}`;
  const short = percent(value, 3);
  const rounded = value < 1 && value > 0 && (short === percent(1, 3) || short === percent(0, 3));
  return `${measure} of ${rounded ? percent(value, 9) : short}`;
}
