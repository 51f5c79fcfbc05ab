/** A target that hosts' limits, least intervals or windows leave out of reach, and how far they would have to give way. */
import { figure } from '../../figures.ts';
import {
  type AskedTarget,
  askingLess,
  type BindingLimit,
  missedTarget,
  type Repair,
} from '../../pages/targets/index.ts';
import { type RequestedLimits, repairsAt } from '../answer/repair-pointers.ts';
import type { CrawlPlanProblem } from '../problem.ts';
import type { PlanMissed } from './problem.ts';

type Change = Repair['changes'][number];

/** @param asked with the scales of the pages as the solver found them */
export function missedPlanTarget(
  { problem, given }: { readonly problem: CrawlPlanProblem; readonly given: RequestedLimits },
  asked: AskedTarget,
  found: PlanMissed,
) {
  const { missed, minInterval, windows } = found;
  const { hosts = [] } = given;
  const scale = missed.group < 0 ? asked.scale : asked.owns[missed.group].scale;
  const toMeasure = (price: number): number => price / problem.interval / scale;
  const limits: BindingLimit[] = Array.from(missed.hostPrice, (price, h) => ({
    limit: hosts[h]?.maxRate !== undefined && 1 / hosts[h].maxRate > hosts[h].minDelay ? 'maxRate' : 'minDelay',
    host: hosts[h]?.host ?? '',
    price: toMeasure(price),
  }));
  limits.push({ limit: 'minInterval', price: toMeasure(minInterval.price) });
  const whose = windows.host >= 0 ? { host: hosts[windows.host].host } : {};
  limits.push({ limit: 'windows', ...whose, price: toMeasure(windows.price) });
  const binding = limits.filter(({ price }) => price > 0).sort((a, b) => b.price - a.price);
  const repairs = found.repairs.flatMap((one) => {
    const [also] = repairsAt(given, [one.also]);
    return repairsOf(one).map(({ detail, changes }) => ({
      detail: also.detail === '' ? detail : `${detail} and ${also.detail}`,
      changes: [...changes, ...also.changes],
    }));
  });
  return missedTarget(asked, missed, binding, repairs);

  function repairsOf({ kind, hosts: raised, by }: PlanMissed['repairs'][number]): Repair[] {
    const factor = figure(by, 3);
    switch (kind) {
      case 'less':
        return askingLess(asked, missed, by);
      case 'hosts': {
        const whose =
          raised.length === 1
            ? `limit of host ${hosts[raised[0]].host}`
            : `limits of the ${raised.length} hosts that bind`;
        return [
          {
            detail: `ease the ${whose} by a factor of ${factor}`,
            changes: raised.flatMap((h) => hostEased(given, h, by)),
          },
        ];
      }
      case 'minInterval':
        return [
          {
            detail: `shorten the least intervals by a factor of ${factor}`,
            changes: intervalsEased(given, problem, by),
          },
        ];
      case 'windows': {
        const enough = windows.factor === null ? '' : `${figure(windows.longest / windows.factor / 3600, 3)} h`;
        const detail = `allow fetches at all times: windows that never close for longer than ${enough} would do`;
        return [{ detail, changes: windowsOpened(given) }];
      }
      case 'everything': {
        const open = windowsOpened(given);
        const changes = [
          ...hosts.flatMap((_, h) => hostEased(given, h, by)),
          ...intervalsEased(given, problem, by),
          ...open,
        ];
        const detail = `ease all limits of hosts and least intervals by a factor of ${factor}`;
        return [{ detail: open.length === 0 ? detail : `${detail}, and allow fetches at all times`, changes }];
      }
    }
  }
}

function hostEased({ hosts = [] }: RequestedLimits, h: number, factor: number): Change[] {
  const { minDelay, maxRate } = hosts[h];
  return [
    ...(minDelay > 0 ? [{ pointer: `/hosts/${h}/minDelay`, factor: 1 / factor }] : []),
    ...(maxRate !== undefined ? [{ pointer: `/hosts/${h}/maxRate`, factor }] : []),
  ];
}

const intervalsEased = ({ minInterval }: RequestedLimits, problem: CrawlPlanProblem, factor: number): Change[] => [
  ...(minInterval !== undefined ? [{ pointer: '/minInterval', factor: 1 / factor }] : []),
  ...(problem.minInterval.some((own) => own > 0 && own !== minInterval)
    ? [{ pointer: '/pages/*/minInterval', factor: 1 / factor }]
    : []),
];

const windowsOpened = ({ hosts = [], windows }: RequestedLimits): Change[] => [
  ...(windows === undefined ? [] : [{ pointer: '/windows', remove: true }]),
  ...hosts.flatMap((host, h) => (host.windows === undefined ? [] : [{ pointer: `/hosts/${h}/windows`, remove: true }])),
];
