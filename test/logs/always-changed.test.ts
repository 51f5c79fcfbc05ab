import { describe, expect, it } from 'vitest';
import { readLog } from '../../src/logs/read-log.ts';
import { checksFromFetches } from '../../src/solvers/estimation/index.ts';

const line = (page: string, day: number, status: number) =>
  `1.2.3.4 - - [${String(day).padStart(2, '0')}/Nov/2026:00:00:00 +0000] "GET ${page} HTTP/1.1" ${status} 100 "-" "bot"`;

/** Five pages that answer 304 now and then, and one that never does. */
const access = (silent: string[] = ['/busy']) =>
  readLog([
    Array.from({ length: 8 }, (_, day) => [
      ...[1, 2, 3, 4, 5].map((k) => line(`/calm/${k}`, day + 1, (day + k) % 3 === 0 ? 304 : 200)),
      ...silent.map((page) => line(page, day + 1, 200)),
    ])
      .flat()
      .join('\n'),
  ]);

const changesOf = (log: ReturnType<typeof access>, id: string): number[] => {
  const outcomes: number[] = [];
  const page = log.pages.find((each) => each.id === id);
  if (page !== undefined) checksFromFetches(page.observations, (_, outcome) => outcomes.push(outcome));
  return outcomes;
};

describe('a page that never answered 304', () => {
  it('has changed at each fetch where the other pages of its host answer 304, and is named', () => {
    const log = access();
    expect(changesOf(log, '/busy')).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect(log.notes.join(' ')).toContain(`Never answered 304 where the host's other pages do: "/busy" (8 fetches).`);
  });

  it('has no checks where too many pages never answer 304: the crawler may not ask', () => {
    const log = access(['/a', '/b']);
    expect(changesOf(log, '/a')).toEqual([]);
    expect(log.notes.join(' ')).not.toContain('Never answered');
  });

  it('has no checks on too few fetches', () => {
    const few = readLog([
      [1, 2, 3, 4, 5, 6].map((k) => line(`/calm/${k}`, k, 304)).join('\n') +
        `\n${[1, 2, 3].map((d) => line('/busy', d, 200)).join('\n')}`,
    ]);
    expect(changesOf(few, '/busy')).toEqual([]);
  });
});
