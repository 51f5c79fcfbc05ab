import { describe, expect, it } from 'vitest';
import { armOf, type Pilot, partsByPeriod, probesDue, probesMade } from '../../src/logs/pilot.ts';
import { type CrawlLog, readLog } from '../../src/logs/read-log.ts';
import { coin } from '../../src/solvers/freshness/index.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';

const day = 86_400;
const start = 20_400 * day;
const pilot: Pilot = { seed: 'a pilot', start, period: 2 * day, probeEvery: 1800, unit: 'page', grace: 900 };

interface Fetch {
  readonly page: string;
  readonly time: number;
  readonly signature: string;
}

const logOf = (fetches: readonly Fetch[]): CrawlLog =>
  readLog([fetches.map((fetch) => JSON.stringify(fetch)).join('\n')]);

/** Pages with times of change, each fetched once a day for ten days from a day before the pilot on. */
function crawl(pages: number) {
  const random = seededRandom(4);
  const changes = Array.from({ length: pages }, () => {
    const times: number[] = [];
    for (let t = start - 5 * day; t < start + 12 * day; t += (-Math.log1p(-random()) * day) / 0.7) times.push(t);
    return times;
  });
  const signatureAt = (page: number, time: number): string =>
    `v${changes[page].filter((change) => change <= time).length}`;
  const fetches: Fetch[] = [];
  for (let page = 0; page < pages; page++) {
    const phase = random() * day;
    for (let k = -1; k < 9; k++) {
      const time = Math.round(start + k * day + phase - day);
      fetches.push({ page: `https://h${page % 3}.example/${page}`, time, signature: signatureAt(page, time) });
    }
  }
  return { fetches, signatureAt };
}

describe('the probes of a pilot', () => {
  const { fetches, signatureAt } = crawl(40);
  const before = logOf(fetches);
  const due = probesDue(pilot, before, start, before.to);

  it('are one in each cell of time, and of pages known before the day before began', () => {
    expect(due.length).toBeCloseTo((before.to - start) / pilot.probeEvery, -1);
    for (const { time, page } of due) {
      const first = Math.min(...page.observations.map((seen) => seen.time));
      expect(first).toBeLessThan((Math.floor(time / day) - 1) * day);
    }
  });

  it('are the same from a longer log, with pages that came later', () => {
    const later = [...fetches, { page: 'https://a.example/new', time: before.to + 3600, signature: 'x' }];
    const again = probesDue(pilot, logOf(later), start, before.to);
    expect(again.map(({ time, page }) => [time, page.id])).toEqual(due.map(({ time, page }) => [time, page.id]));
  });

  it('are found again in the log, with whether the copy was current', () => {
    const number = (id: string) => Number(id.split('/').at(-1));
    const probed = due.map(({ time, page }) => ({
      page: page.id,
      time: Math.ceil(time) + 60,
      signature: signatureAt(number(page.id), Math.ceil(time) + 60),
    }));
    const log = logOf([...fetches, ...probed].sort((a, b) => a.time - b.time));
    const { made, due: count } = probesMade(pilot, log);
    expect(count).toBeGreaterThanOrEqual(due.length);
    expect(made.length).toBeGreaterThan(0.98 * due.length);
    for (const { time, page, current } of made.slice(0, 200)) {
      const held = log.pages.find(({ id }) => id === page)?.observations.filter((seen) => seen.time < time) ?? [];
      const last = Math.max(...held.map((seen) => seen.time));
      expect(current, page).toBe(signatureAt(number(page), last) === signatureAt(number(page), time));
    }
  });
});

describe('the arms of a pilot', () => {
  it('are asked for part by part of an interval that goes over the end of a period', () => {
    const [from, to] = [start + 0.3 * day, start + 4.6 * day];
    expect(partsByPeriod(pilot, from, to)).toEqual([
      { from, to: start + 2 * day },
      { from: start + 2 * day, to: start + 4 * day },
      { from: start + 4 * day, to },
    ]);
    expect(partsByPeriod(pilot, from, from + 60)).toEqual([{ from, to: from + 60 }]);
  });

  it('are those of the coin, by page or by host, and stay for a period', () => {
    const [page] = logOf(crawl(1).fetches).pages;
    for (let k = 0; k < 20; k++) {
      const time = start + k * day;
      const period = Math.floor(time / pilot.period);
      expect(armOf(pilot, page, time)).toBe(coin(pilot.seed, page.id, period));
      expect(armOf({ ...pilot, unit: 'host' }, page, time)).toBe(coin(pilot.seed, 'h0.example', period));
    }
  });
});
