/** Why there is no schedule, each with the numbers that prove it. */
import type { AllocationConflict } from '../crawl-allocation/index.ts';
import type { CrawlScheduleProblem, ScheduleConflict } from './problem.ts';

/** More crawls than slots; null where they fit. */
export function tooManyCrawls({ allocation }: CrawlScheduleProblem, slots: number): ScheduleConflict | null {
  const { crawls, minCrawls } = allocation;
  if (crawls <= slots) return null;
  const least = minCrawls.reduce((sum, m) => sum + m, 0);
  const detail = `${crawls} crawls are to be made and the crawlers have ${slots} slots`;
  return { detail, crawls, slots, least, most: slots, hosts: [] };
}

/** What the allocation found, with the delay of a host where that is what limits it. */
export function allocationConflict(
  { allocation, hostDelays }: CrawlScheduleProblem,
  { detail, crawls, least, most, hosts }: AllocationConflict,
  slots: number,
): ScheduleConflict {
  const names = allocation.hosts?.names ?? [];
  const delayed = hosts.filter((name) => (hostDelays?.delay[names.indexOf(name)] ?? 0) > 0);
  const because = delayed.length > 0 ? `; minDelay of ${delayed.slice(0, 3).join(', ')} leaves no more slots` : '';
  return { detail: detail + because, crawls, slots, least, most, hosts };
}
