/**
 * A target that limits leave out of reach. It says which limits bind, what one more fetch would save there, and how far
 * each would have to give way. Some ten looks at the target for each.
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import { around } from '../../pages/groups/index.ts';
import {
  type AskedTarget,
  easedHosts,
  leastFactor,
  lesserLimits,
  type TargetMissed,
} from '../../pages/targets/index.ts';
import type { KeptTarget, TargetEasing } from './kept-target.ts';
import { type LeftAtMost, neededRate, type TargetedPages } from './needed-rate.ts';
import type { PlanMissed, TargetRepair } from './problem.ts';

interface Easing {
  readonly host?: (h: number) => number;
  readonly minInterval?: number;
  readonly windows?: number;
}

/**
 * Each factor is found by the needed rate alone, and then tried by the whole question, with more where that is not enough.
 */
export function missedBy(
  pages: TargetedPages,
  target: AskedTarget,
  { missed, keeping }: { readonly missed: TargetMissed; readonly keeping: KeptTarget },
  budget: Budget,
): PlanMissed {
  const met = (by: Easing): boolean => !('least' in neededRate(eased(pages, by), target, budget));
  const minInterval = { price: minIntervalPrice(pages, target, missed) };
  const priced = windowsPrice(pages, target, missed);
  const factorOf = (by: (factor: number) => Easing): number | null =>
    unlessStopped(null, () => leastFactor((factor) => met(by(factor))));
  const windows = { ...priced, factor: priced.price > 0 ? factorOf((factor) => ({ windows: factor })) : null };
  const repairs: TargetRepair[] = [];
  const offer = (
    kind: TargetRepair['kind'],
    least: number | null,
    tried: (by: number) => { readonly easing?: TargetEasing; readonly target?: LeftAtMost } | null,
    hosts: readonly number[] = [],
  ): void => {
    const found =
      least && unlessStopped(null, () => keeping.firstThatDoes(least, (by) => ({ easing: {}, target, ...tried(by) })));
    if (found !== null && found !== 0) repairs.push({ kind, hosts, ...found });
  };

  offer('less', 1, (by) => {
    const lesser = lesserLimits(target, missed, by);
    return lesser && { target: { ...target, ...lesser } };
  });
  const asked = repairs.length;
  const hosts = unlessStopped([], () =>
    easedHosts(missed.hostPrice, (raised, factor) => met({ host: (h) => (raised.has(h) ? factor : 1) })),
  );
  for (const { hosts: raised, factor } of hosts) {
    const those = new Set(raised);
    offer('hosts', factor, (by) => ({ easing: { host: (h) => (those.has(h) ? by : 1) } }), raised);
  }
  if (minInterval.price > 0) {
    const factor = factorOf((by) => ({ minInterval: by }));
    offer('minInterval', factor, (by) => ({ easing: { minInterval: by } }));
  }
  if (windows.factor !== null) offer('windows', 1, () => ({ easing: { open: true } }));
  if (repairs.length === asked) {
    const factor = factorOf((by) => ({ host: () => by, minInterval: by, windows: by }));
    offer('everything', factor, (by) => ({ easing: { host: () => by, minInterval: by, open: true } }));
  }
  return { missed, minInterval, windows, repairs };
}

function eased(pages: TargetedPages, { host = () => 1, minInterval = 1, windows = 1 }: Easing): TargetedPages {
  const { problem } = pages;
  return {
    ...pages,
    hostDelay: pages.hostDelay.map((delay, h) => delay / host(h)),
    closed: (i) => pages.closed(i).map((gap) => gap / windows),
    problem: { ...problem, minInterval: problem.minInterval.map((least) => least / minInterval), evenShare: 0 },
  };
}

/** Pages whose target is missed, where no limit of a host binds them more. */
function* bound({ problem }: TargetedPages, { own }: AskedTarget, { group, hostPrice }: TargetMissed) {
  const { weight, host, hostGroups } = problem;
  for (let i = 0; i < weight.length; i++) {
    if (!(weight[i] > 0) || (group >= 0 && own?.of[i] !== group)) continue;
    let above = 0;
    for (const h of around(hostGroups, host[i])) above = Math.max(above, hostPrice[h]);
    yield { page: i, above };
  }
}

function minIntervalPrice(pages: TargetedPages, target: AskedTarget, missed: TargetMissed): number {
  const { problem, model } = pages;
  let price = 0;
  for (const { page, above } of bound(pages, target, missed)) {
    const least = problem.minInterval[page];
    const worth = least > 0 ? model.worth(page, least) : 0;
    if (worth > above) price = Math.max(price, worth);
  }
  return price;
}

/** One more fetch in the middle of the longest closed time of a page. */
function windowsPrice(pages: TargetedPages, target: AskedTarget, missed: TargetMissed) {
  const { problem, model, closed } = pages;
  let [price, host, longest] = [0, -1, 0];
  for (const { page, above } of bound(pages, target, missed)) {
    const [gap = 0] = closed(page);
    if (!(gap > 0)) continue;
    const saved = problem.weight[page] * gap * (model.longRunCost(page, gap) - model.longRunCost(page, gap / 2));
    if (!(saved > above && saved > price)) continue;
    const own = problem.host[page];
    [price, host, longest] = [saved, own >= 0 && problem.availability?.hostSpans[own] != null ? own : -1, gap];
  }
  return { price, host, longest };
}
