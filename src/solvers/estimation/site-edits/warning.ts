/** What a caller is told of edits of whole hosts. */
import { type Warning, warning } from '../../answer.ts';
import { type Budget, pollOf, unlessStopped } from '../../budget.ts';
import { findSiteEdits } from './detect.ts';
import type { DatedChecks, SiteEdits } from './problem.ts';

const mostNamed = 5;
/** Checks of all hosts together that are looked at for a warning. */
const mostChecks = 100_000;
/** Of a host's changes: below this share nothing is said. */
const leastShare = 0.05;

/**
 * How much of what was seen came with edits of whole hosts; nothing where that is little.
 *
 * @param names by host, null for pages without one
 * @param then what that means for this answer
 */
export function siteEditWarnings(
  names: readonly (string | null)[],
  hosts: readonly SiteEdits[],
  then: string,
): Warning[] {
  const edited = hosts.flatMap((host, h) =>
    host.edits > 0 && host.withEdits >= leastShare * host.changes ? [{ ...host, name: names[h] }] : [],
  );
  if (edited.length === 0) return [];
  edited.sort((a, b) => b.withEdits - a.withEdits);
  const said = edited.slice(0, mostNamed).map(({ name, edits, changes, withEdits }) => {
    const share = Math.round((100 * withEdits) / Math.max(1, changes));
    return `${name ?? 'pages without a host'}: ${share}% of ${changes} changes, ${edits} edit${edits === 1 ? '' : 's'}`;
  });
  const more = edited.length > mostNamed ? `, and ${edited.length - mostNamed} hosts more` : '';
  return [
    warning('site-wide-edits', `changes came at once on much of a host (${said.join('; ')}${more}): ${then}`, [
      'pages',
    ]),
  ];
}

/** Checks on one clock, and the names of the hosts, null for pages without one. */
export interface SiteChecks {
  readonly dated: DatedChecks;
  readonly names: readonly (string | null)[];
}

/**
 * The same from the checks, for answers that edits of whole hosts leave as they are. The intervals of rates hold beside
 * them, because such edits come to each page as other changes do. Nothing where the time is up.
 */
export function siteEditsSaid({ dated, names }: SiteChecks, budget: Budget): Warning[] {
  const poll = pollOf(budget, 'stopped while looking for edits of whole hosts');
  const then =
    'rates and their intervals are of all changes of a page, these included; they tell nothing of its own changes';
  return unlessStopped([], () =>
    dated.hosts === 0 || budget.stopRequested()
      ? []
      : siteEditWarnings(names, findSiteEdits(dated, poll, mostChecks).hosts, then),
  );
}
