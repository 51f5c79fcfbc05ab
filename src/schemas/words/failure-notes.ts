/** Notes about pages whose last fetches failed. */
import type { FailingPage, FailingPages } from '../../solvers/estimation/index.ts';

const mostNamed = 3;

/** @param nameOf the name of the page at an index */
export function failureNotes(
  { gonePages, waitingPages, hostsDown, isCrawlerDown }: FailingPages,
  nameOf: (page: number) => string,
): string[] {
  const list = (names: readonly string[]): string =>
    `${names.length} (${names.slice(0, mostNamed).join(', ')}${names.length > mostNamed ? ', …' : ''})`;
  const pages = (failingPages: readonly FailingPage[]): string => list(failingPages.map(({ page }) => nameOf(page)));
  return [
    gonePages.length > 0
      ? `pages gone (410, or 404 twice in a row), tried again once a week, later once a month: ${pages(gonePages)}`
      : '',
    isCrawlerDown
      ? 'at the end of the log all hosts fail: it was the crawler, or its network; the plan is made as before that'
      : '',
    !isCrawlerDown && hostsDown.length > 0
      ? `hosts that fail at the end of the log, of which some pages are probed and the others wait: ${list(hostsDown)}`
      : '',
    waitingPages.length > 0 ? `pages that failed last and wait: ${pages(waitingPages)}` : '',
  ].filter((note) => note !== '');
}
