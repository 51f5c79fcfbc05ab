/**
 * Changes inferred from statuses alone. A crawler whose log has 304s makes conditional requests, so a 200 is a change if
 * the page has answered 304 before and has no signature. A page that never answers 304 on a host that otherwise does has
 * changed at every fetch: without this the fastest pages of an access log would have no checks.
 */
import type { LoggedPage } from './fetch-collector.ts';
import type { PageFetches } from './page-fetches.ts';

/** Minimum fetches without a 304 for this inference. */
const minFetches = 4;
/** Minimum share of a host's pages with that many fetches that answered 304 at least once. */
const minAnsweringShare = 0.8;
const maxExamples = 5;

const isSuccess = (status: number): boolean => status >= 200 && status <= 299;
/** Whether no fetch of a page has a verdict, a signature or a Last-Modified. */
export const lacksEvidence = ({ signature, lastModified, changed }: PageFetches): boolean =>
  changed.every((flag) => flag < 0) && [signature, lastModified].every((column) => column.every(Number.isNaN));

/** Marks the inferred changes; returns notes about them. */
export function markAlwaysChanged(pages: readonly LoggedPage[]): string[] {
  const hostOf = ({ host = '' }: LoggedPage): string => host;
  const isAnswering = ({ observations }: LoggedPage): boolean => observations.status.includes(304);
  const answeringPages = pages.filter(isAnswering);
  const silentPages = pages.filter(
    (page) =>
      !isAnswering(page) &&
      page.observations.status.filter(isSuccess).length >= minFetches &&
      lacksEvidence(page.observations),
  );
  const conditionalPages = answeringPages.filter(({ observations }) => lacksEvidence(observations));
  const answeringByHost = Map.groupBy(answeringPages, hostOf);
  const inferredPages = Array.from(Map.groupBy(silentPages, hostOf)).flatMap(([host, silent]) => {
    const answering = answeringByHost.get(host)?.length ?? 0;
    return answering > 0 && answering >= minAnsweringShare * (answering + silent.length) ? silent : [];
  });
  for (const { observations } of [...conditionalPages, ...inferredPages]) mark(observations);
  return [
    ...(conditionalPages.length === 0
      ? []
      : [
          `${conditionalPages.length} pages have answers 304: the crawler asks conditionally, and a 200 of these pages counts as a change.`,
        ]),
    ...(inferredPages.length === 0 ? [] : [noteOf(inferredPages)]),
  ];
}

function mark({ status, changed }: PageFetches): void {
  for (const [k, code] of status.entries()) if (isSuccess(code)) changed[k] = 1;
}

function noteOf(pages: readonly LoggedPage[]): string {
  const names = pages
    .slice(0, maxExamples)
    .map(({ id, observations }) => `${JSON.stringify(id)} (${observations.length} fetches)`)
    .join(', ');
  const suffix = pages.length > maxExamples ? ` and ${pages.length - maxExamples} more` : '';
  const is = pages.length === 1 ? 'It is' : 'They are';
  return `Never answered 304 where the host's other pages do: ${names}${suffix}. ${is} taken to have changed at each fetch; a page without a validator looks the same.`;
}
