/** Sentences about pages whose last fetches failed. */
import type { FailingPage, FailingPages } from '../../solvers/estimation/index.ts';

const mostNamed = 3;

/** @param nameOf the name of the page at an index */
export function failureNotes(
  { gone, waiting, hostsDown: down, isCrawlerDown }: FailingPages,
  nameOf: (page: number) => string,
): string[] {
  const notes: string[] = [];
  const are = (count: number, one: string, many: string): string => (count === 1 ? one : `${count} ${many}`);
  if (gone.length > 0) {
    notes.push(
      `${are(gone.length, '1 page is', 'pages are')} gone (410, or 404 twice in a row), and tried again once a week, later once a month: ${named(gone, nameOf)}.`,
    );
  }
  if (isCrawlerDown) {
    notes.push(
      'At the end of the log all hosts fail: it was the crawler, or its network. The plan is made as before that.',
    );
  } else if (down.length > 0) {
    notes.push(
      `${are(down.length, '1 host fails', 'hosts fail')} at the end of the log: some of their pages are probed, the others wait (${down.slice(0, mostNamed).join(', ')}${down.length > mostNamed ? ', …' : ''}).`,
    );
  }
  if (waiting.length > 0)
    notes.push(
      `${are(waiting.length, '1 page failed last and waits', 'pages failed last and wait')}: ${named(waiting, nameOf)}.`,
    );
  return notes;
}

function named(pages: readonly FailingPage[], nameOf: (page: number) => string): string {
  const names = pages.slice(0, mostNamed).map(({ page }) => nameOf(page));
  return `${names.join(', ')}${pages.length > mostNamed ? ', …' : ''}`;
}
