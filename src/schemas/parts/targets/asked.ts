/** The targets of a request, checked, as the solvers take them and as answers tell of them. */
import type { ObjectiveName } from '../../../solvers/pages/objectives/index.ts';
import {
  type AskedTarget,
  leftOf,
  type MeasureName,
  measureNames,
  measureOf,
  type OwnTarget,
  objectiveOf,
  scaleOf,
} from '../../../solvers/pages/targets/index.ts';
import { quoted } from '../../contract/problem.ts';
import type { Refuse } from '../../contract/refusals.ts';
import { measureIn } from './request.ts';

/** What a request says of targets, and of the pages that they weigh. */
interface TargetRequest {
  readonly target?: Partial<Record<MeasureName, number | undefined>> | undefined;
  readonly targets?:
    | readonly (Partial<Record<MeasureName, number | undefined>> & {
        readonly class?: string | undefined;
        readonly host?: string | undefined;
      })[]
    | undefined;
  readonly objective: ObjectiveName;
  readonly weight: Float64Array;
  /** Change rates; NaN where not known yet. */
  readonly rate: Float64Array;
  readonly class: readonly (string | undefined)[];
  readonly host: readonly (string | undefined)[];
}

/** Whether a request asks how few crawls will do. */
export const asksForCrawls = ({ target, targets }: Pick<TargetRequest, 'target' | 'targets'>): boolean =>
  target !== undefined || targets !== undefined;

/** The targets of a request; null where it has none, or where they are refused. */
export function askedTarget(request: TargetRequest, refuse: Refuse): AskedTarget | null {
  if (!asksForCrawls(request)) return null;
  const { target, targets = [], objective, weight } = request;
  const allowed = measureNames.filter((name) => objectiveOf(name) === objective);
  const whole = target === undefined ? null : measureIn(target, allowed, ['target'], refuse);
  if (target !== undefined && whole === null) return null;
  const measure = whole?.measure ?? measureOf(objective);
  const scales = scaleOf(measure, request);
  let scale = 0;
  for (let i = 0; i < weight.length; i++) scale += scales(i);
  const asked = targets.map((each, k) => measureIn(each, allowed, ['targets', k], refuse));
  const groups = groupsOf(request, refuse);
  if (groups === null) return null;
  const sums = new Float64Array(targets.length);
  for (const [i, g] of groups.entries()) if (g >= 0) sums[g] += scales(i);
  const owns: OwnTarget[] = [];
  for (const [k, own] of asked.entries()) {
    if (own === null) return null;
    owns.push({ ...own, class: targets[k].class, host: targets[k].host, scale: sums[k] });
  }
  const limit = Float64Array.from(owns, (own) => leftOf(own.measure, own.value) * own.scale);
  return {
    measure,
    value: whole?.value ?? null,
    scale,
    whole: whole === null ? Number.POSITIVE_INFINITY : leftOf(measure, whole.value) * scale,
    own: owns.length === 0 ? null : { of: groups, limit },
    owns,
  };
}

/** The position in `targets` of each page's own, −1 for none; null where a row or a page is refused. */
function groupsOf({ targets = [], class: classes, host: hosts, weight }: TargetRequest, refuse: Refuse) {
  const byName = { class: new Map<string, number>(), host: new Map<string, number>() };
  let fine = true;
  const no: Refuse = (...said) => {
    fine = false;
    refuse(...said);
  };
  for (const [k, { class: name, host }] of targets.entries()) {
    if ((name === undefined) === (host === undefined)) {
      no(['targets', k], 'one-of', 'give class or host, one of the two', null);
      continue;
    }
    const kind = name === undefined ? 'host' : 'class';
    const own = name ?? host ?? '';
    const first = byName[kind].get(own);
    if (first !== undefined) {
      no(['targets', k, kind], 'duplicate', `${kind} ${quoted(own)} already has a target, at position ${first}`, own);
    }
    byName[kind].set(own, k);
  }
  const groups = new Int32Array(weight.length).fill(-1);
  const seen = new Set<number>();
  for (let i = 0; i < groups.length; i++) {
    const byClass = byName.class.get(classes[i] ?? '') ?? -1;
    const byHost = byName.host.get(hosts[i] ?? '') ?? -1;
    if (byClass >= 0 && byHost >= 0) {
      const message = `page ${i} is of class ${quoted(classes[i])} and at host ${quoted(hosts[i])}, which both have a target: a page has one at most`;
      no(['targets', byHost, 'host'], 'not-applicable', message, hosts[i]);
      break;
    }
    groups[i] = Math.max(byClass, byHost);
    seen.add(groups[i]);
  }
  for (const [kind, names] of Object.entries(byName)) {
    for (const [name, k] of names) {
      if (!seen.has(k)) no(['targets', k, kind], 'no-such-page', `no page has the ${kind} ${quoted(name)}`, name);
    }
  }
  return fine ? groups : null;
}
