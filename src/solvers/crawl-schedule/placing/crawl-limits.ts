/** What pages and hosts may have at most, kept up to date while slots are given. */
import type { CrawlScheduleProblem } from '../problem.ts';
import type { Timetable } from '../table/timetable.ts';

export interface CrawlLimits {
  /** Fewest crawls, by page. */
  readonly least: Int32Array;
  /** Whether a page, and its host, may have one crawl more. */
  readonly allow: (page: number) => boolean;
  /** A page has got so many more. */
  readonly changed: (page: number, crawls: number) => void;
}

export function crawlLimits({ allocation }: CrawlScheduleProblem, table: Timetable): CrawlLimits {
  const { minCrawls, maxCrawls, hosts } = allocation;
  const used = new Float64Array(hosts?.maxCrawls.length ?? 0);
  const changed = (i: number, crawls: number): void => {
    if (hosts !== null && hosts.of[i] >= 0) used[hosts.of[i]] += crawls;
  };
  for (let i = 0; i < maxCrawls.length; i++) changed(i, table.crawlsOf(i));
  return {
    least: minCrawls,
    allow: (i) =>
      !(maxCrawls[i] >= 0 && table.crawlsOf(i) >= maxCrawls[i]) &&
      (hosts === null || hosts.of[i] < 0 || used[hosts.of[i]] < hosts.maxCrawls[hosts.of[i]]),
    changed,
  };
}
