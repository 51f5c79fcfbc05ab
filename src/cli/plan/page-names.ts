/** Positions of pages in warnings → the pages' names, for an output that has no positions. */
import { duration } from '../../words/numbers.ts';

const positions = /\((first: )?(\d+(?:, \d+)*)(, …)?\)/g;
/** A list of all of them, as in `: pages 3, 4, 7, and 2 more (fetchInterval null)`. */
const allPositions = /: pages? (\d+(?:, \d+)*)(?:, and (\d+) more \(fetchInterval null\))?/g;
/** So many of a long list are named. */
const named = 5;
const inSolution = / \(positions? in solution\.\w+\)/g;

/** The detail of a warning with the pages that it gives by position named. */
export function withPageNames(detail: string, ids: readonly string[]): string {
  const names = (list: string): string[] | undefined => {
    const found = list.split(', ').map((at) => ids[Number(at)]);
    return found.every((name) => name !== undefined) ? found : undefined;
  };
  return detail
    .replaceAll(inSolution, '')
    .replaceAll(/in these (\d+) s\b/g, (_, seconds: string) => `in the next ${duration(Number(seconds))}`)
    .replaceAll(positions, (text, first = '', list: string, more = '') => {
      const found = names(list);
      return found === undefined ? text : `(${first}${found.join(', ')}${more})`;
    })
    .replaceAll(allPositions, (text, list: string, more = '0') => {
      const found = names(list);
      if (found === undefined) return text;
      const unnamed = found.length + Number(more) - named;
      return `: ${found.slice(0, named).join(', ')}${unnamed > 0 ? `, and ${unnamed} more` : ''}`;
    });
}
