/** The checks of pages on one clock, by host, as edits of whole hosts are looked for in them. */
import { type CheckHistory, changedAtKnownAge, type SiteChecks } from '../../../solvers/estimation/index.ts';

/**
 * Leaves out pages whose checks cannot be dated: those without a last check and those whose checks are only counted. It
 * also leaves out those where a Last-Modified stands in place of the time between two checks.
 */
export function siteChecks(
  history: CheckHistory,
  hosts: readonly (string | undefined)[],
  lastCrawl: Float64Array,
  unordered: Uint8Array,
): SiteChecks {
  const positions = new Map<string, number>();
  const host = Int32Array.from(hosts, (name = '') => {
    if (name === '') return -1;
    const at = positions.get(name) ?? positions.size;
    positions.set(name, at);
    return at;
  });
  const lastCheck = lastCrawl.map((last, i) => {
    if (host[i] < 0 || unordered[i] === 1) return Number.NaN;
    for (let k = history.offsets[i]; k < history.offsets[i + 1]; k++) {
      if (history.outcome[k] === changedAtKnownAge) return Number.NaN;
    }
    return last;
  });
  const { offsets, elapsed, outcome } = history;
  const dated = { offsets, elapsed, changed: outcome, lastCheck, host, hosts: positions.size };
  return { dated, names: [...positions.keys()] };
}
