/** Whether a plan keeps what was asked, checked from the schedule alone, by code that shares nothing with the planner. */
import type { CrawlPlan, PlanProblem } from './model/plan-problem.ts';

/**
 * What a plan violates, in words; empty when it keeps everything: slots used once and at their times, minInterval and
 * minDelay, maxInterval to within one slot, counts and next fetches as scheduled, every page without a fetch named.
 */
export function certifyPlan(problem: PlanProblem, plan: CrawlPlan): string[] {
  const faults: string[] = [];
  const { now, interval, slotsByCrawler, lastCrawl, minInterval, maxInterval, host, hostDelay } = problem;
  const end = now + interval;
  const tolerance = 1e-9 * Math.max(Math.abs(now), interval) + 1e-9;
  let slots = 0;
  for (const count of slotsByCrawler) slots += count;
  const used = new Set<string>();
  const last = Float64Array.from(lastCrawl, (time) => Math.min(time, now));
  const hostLast = new Map<number, number>();
  for (const [i, time] of last.entries()) {
    if (!Number.isNaN(time) && host[i] >= 0) hostLast.set(host[i], Math.max(hostLast.get(host[i]) ?? -Infinity, time));
  }
  const counts = new Uint32Array(lastCrawl.length);
  const first = new Float64Array(lastCrawl.length).fill(Number.NaN);
  // one slot of grace: the longest pause between two slots of all crawlers
  const starts: number[] = [now, end];
  for (const count of slotsByCrawler) for (let l = 0; l < count; l++) starts.push(now + (l * interval) / count);
  starts.sort((a, b) => a - b);
  let grace = 0;
  for (let k = 1; k < starts.length; k++) grace = Math.max(grace, starts[k] - starts[k - 1]);
  let before = Number.NEGATIVE_INFINITY;
  for (const [k, time] of plan.slotTime.entries()) {
    const i = plan.slotPage[k];
    const crawler = plan.slotCrawler[k];
    const slot = Math.round(((time - now) / interval) * slotsByCrawler[crawler]);
    if (Math.abs(now + (slot * interval) / slotsByCrawler[crawler] - time) > tolerance)
      faults.push(`no slot at ${time}`);
    if (used.has(`${crawler} ${slot}`)) faults.push(`slot ${slot} of crawler ${crawler} is used twice`);
    used.add(`${crawler} ${slot}`);
    if (time < before) faults.push(`slots out of order at ${time}`);
    before = time;
    if (time - last[i] < minInterval[i] - tolerance)
      faults.push(`page ${i} is fetched ${time - last[i]} s after the last`);
    const due = Number.isNaN(last[i])
      ? now + maxInterval[i]
      : Math.max(last[i] + maxInterval[i], counts[i] === 0 && last[i] + maxInterval[i] < now ? end : 0);
    if (time > due + grace + tolerance) faults.push(`page ${i} waits until ${time}, due ${due}`);
    if (counts[i]++ === 0) first[i] = time;
    last[i] = time;
    const h = host[i];
    if (h >= 0) {
      const since = time - (hostLast.get(h) ?? Number.NEGATIVE_INFINITY);
      if (since < hostDelay[h] - tolerance) faults.push(`host ${h} is fetched ${since} s after the last`);
      hostLast.set(h, time);
    }
  }
  for (const [i, time] of last.entries()) {
    const due = (Number.isNaN(time) ? now : time) + maxInterval[i];
    if (due >= now && due + grace + tolerance < end) faults.push(`page ${i} is not fetched by ${due}`);
    if (counts[i] !== plan.crawls[i]) faults.push(`page ${i} has ${counts[i]} slots and says ${plan.crawls[i]}`);
    if (counts[i] > 0 && first[i] !== plan.nextFetch[i]) faults.push(`page ${i} is next fetched at ${first[i]}`);
    if (counts[i] === 0 && plan.nextFetch[i] < end - tolerance) faults.push(`page ${i} says a fetch it does not get`);
  }
  const unfetched = Array.from(counts.keys()).filter((i) => counts[i] === 0);
  if (unfetched.join() !== Array.from(plan.withoutCrawl).join())
    faults.push('withoutCrawl does not name the unfetched');
  if (plan.slotTime.length + plan.idleSlots !== slots) faults.push(`${plan.idleSlots} idle slots do not add up`);
  return faults;
}
