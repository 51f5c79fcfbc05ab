/** The pages, hosts and sizes of `crawl-allocation` and `crawl-schedule`, read from a request. */
import type { CrawlAllocationProblem } from '../../solvers/crawl-allocation/index.ts';
import { objectiveNamed } from '../../solvers/pages/objectives/cost-definition.ts';
import type { ObjectiveName } from '../../solvers/pages/objectives/index.ts';
import { listIn, numberIn, objectAt, textIn, type WireObject, WireTable } from '../wire.ts';
import { type Updates, updatesOf } from './updates.ts';

/** The problem of an allocation, with updates as certificates read them. */
export type CheckedProblem = Omit<CrawlAllocationProblem, 'updates'> & { readonly updates: Updates };

/** What staleness costs. */
export const objectiveIn = (request: WireObject): ObjectiveName =>
  objectiveNamed(textIn(request, 'objective', 'freshness'));

/** @param crawls how many there are to give out, where the request does not say */
export function allocationIn(request: WireObject, crawls?: number): CheckedProblem {
  const pages = new WireTable(request.pages, 'pages');
  const age = pages.numbers('lastCrawlAge', Number.NaN);
  return {
    interval: numberIn(request, 'interval'),
    crawls: numberIn(request, 'crawls', crawls),
    updates: updatesOf(pages),
    weight: pages.numbers('weight', 1),
    minCrawls: Int32Array.from(pages.numbers('minCrawls', 0)),
    maxCrawls: Int32Array.from(pages.numbers('maxCrawls', -1)),
    lastCrawlAge: age.some((time) => !Number.isNaN(time)) ? age : null,
    objective: objectiveIn(request),
    hosts: hostsIn(request, pages),
    quasiDeterministic: request.quasiDeterministic === 'greedy' ? 'greedy' : 'exact',
    idealTimes: request.idealTimes === true,
    baselines: request.baselines === true,
  };
}

export function hostRules(request: WireObject): readonly WireObject[] {
  return listIn(request, 'hosts', true).map((rule) => objectAt(rule));
}

function hostsIn(request: WireObject, pages: WireTable): CheckedProblem['hosts'] {
  const rules = hostRules(request);
  if (rules.length === 0) return null;
  const names = rules.map((rule) => textIn(rule, 'host'));
  const maxCrawls = Float64Array.from(rules, (rule) => numberIn(rule, 'maxCrawls', Number.POSITIVE_INFINITY));
  return { of: hostOf(pages.texts('host'), names), maxCrawls, names };
}

/** The position of each page's host among the hosts named, −1 for another or none. */
export function hostOf(hosts: readonly (string | null)[], names: readonly string[]): Int32Array {
  const position = new Map(names.map((name, h) => [name, h]));
  return Int32Array.from(hosts, (host) => (host === null ? -1 : (position.get(host) ?? -1)));
}
