/**
 * Pages that never answered 304 where the crawler asks whether they changed. With no other sign of a change, each fetch
 * of such a page found another content. Without this the fastest pages of an access log would have no check at all.
 */
import type { Observation } from '../solvers/estimation/index.ts';

interface Fetched {
  readonly id: string;
  readonly host?: string;
  readonly observations: readonly Observation[];
}

/** Fewer fetches without a 304 are no sign of anything. */
const fewestFetches = 4;
/** Of a host's pages with so many fetches, this share must have answered 304 at least once. */
const mostAnswer = 0.8;
const mostNamed = 5;

const succeeded = ({ status }: Observation): boolean => status !== undefined && status >= 200 && status <= 299;
const silent = ({ status, changed, signature, lastModified }: Observation): boolean =>
  status !== 304 && changed === undefined && signature === undefined && lastModified === undefined;

/** The pages with their changes marked, and what was inferred, in sentences. */
export function withAlwaysChanged<Page extends Fetched>(pages: readonly Page[]): { pages: Page[]; notes: string[] } {
  const answering = new Map<string, number>();
  const never = new Map<string, number[]>();
  for (const [i, { host = '', observations }] of pages.entries()) {
    if (observations.some(({ status }) => status === 304)) answering.set(host, (answering.get(host) ?? 0) + 1);
    else if (observations.filter(succeeded).length >= fewestFetches && observations.every(silent)) {
      const positions = never.get(host);
      if (positions === undefined) never.set(host, [i]);
      else positions.push(i);
    }
  }
  const marked = new Set<number>();
  for (const [host, positions] of never) {
    const others = answering.get(host) ?? 0;
    if (others > 0 && others >= mostAnswer * (others + positions.length)) for (const i of positions) marked.add(i);
  }
  const list = pages.map((page, i) =>
    marked.has(i)
      ? {
          ...page,
          observations: page.observations.map((each) => (succeeded(each) ? { ...each, changed: true } : each)),
        }
      : page,
  );
  return { pages: list, notes: marked.size === 0 ? [] : [inferred(pages, [...marked])] };
}

function inferred(pages: readonly Fetched[], positions: readonly number[]): string {
  const names = positions
    .slice(0, mostNamed)
    .map((i) => `${JSON.stringify(pages[i].id)} (${pages[i].observations.length} fetches)`)
    .join(', ');
  const more = positions.length > mostNamed ? ` and ${positions.length - mostNamed} more` : '';
  const is = positions.length === 1 ? 'It is' : 'They are';
  return `Never answered 304 where the host's other pages do: ${names}${more}. ${is} taken to have changed at each fetch; a page without a validator looks the same.`;
}
