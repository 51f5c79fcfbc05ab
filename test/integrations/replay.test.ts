/**
 * The crawlers' own classes in the replay, against their rules as they are rewritten for the simulator and the replay.
 */
import { describe, expect, it } from 'vitest';
import { nutchAdaptive, stormCrawlerAdaptive } from '../../bench/replay/incumbents.ts';
import { asFetched, type DatedPlan, nutchByPlans, ownClasses } from '../../bench/replay/own-classes.ts';
import { pageHistories } from '../../bench/replay/page-history.ts';
import { plannedAhead } from '../../bench/replay/policies.ts';
import { day, type Policy, replay } from '../../bench/replay/replay.ts';
import { simulateTrace } from '../../bench/replay/simulated-trace.ts';
import { maven } from './maven.ts';

const run = maven(['-f', 'bench/replay/jvm/pom.xml', 'compile', 'exec:java', '-Dexec.args=/dev/null /dev/null']);
if (run.kind === 'unavailable') console.log(`the replay of the crawlers' own classes is skipped: ${run.why}`);

const start = Date.parse('2025-01-01T00:00:00Z') / 1000;
const end = start + 500 * day;
const lines = simulateTrace({ hosts: 12, pagesPerHost: 5, seed: 3 }, start, end);
const pages = pageHistories(
  lines.map((line) => ({ ...line, changes: line.changes.map(Math.ceil) })),
  start,
  end,
);

/** The fetches of a policy, each with what it found. */
function fetches(policy: Policy): string[] {
  const list: string[] = [];
  const noted: Policy = {
    choose: (time) => policy.choose(time),
    observe(page, time, elapsed, changed) {
      list.push(`${time} ${page} ${changed}`);
      policy.observe(page, time, elapsed, changed);
    },
  };
  replay(pages, noted, start, end);
  return list;
}

describe.skipIf(run.kind === 'unavailable')('the own classes of Nutch and StormCrawler', () => {
  it('make the very fetches of the rewritten rules, and other settings make others', () => {
    const settings = { 'db.fetch.interval.default': 5 * day };
    const runs = [
      { crawler: 'nutch', settings: {} },
      { crawler: 'stormcrawler', settings: {} },
      { crawler: 'nutch', settings },
    ] as const;
    const [nutch, stormCrawler, oftener] = ownClasses(pages, start, end, runs);
    const own = fetches(asFetched(nutch));
    expect(own.length).toBeGreaterThan(500);
    expect(own).toEqual(fetches(nutchAdaptive(pages.length, start)));
    expect(fetches(asFetched(stormCrawler))).toEqual(fetches(stormCrawlerAdaptive(pages.length, start)));
    expect(fetches(asFetched(oftener)).length).toBeGreaterThan(own.length);
  });

  it('follow plans, with PlanFetchSchedule, as its rule is rewritten', () => {
    const plans: DatedPlan[] = [];
    const rewritten = plannedAhead(pages.length, start, {
      crawlRate: 0.1,
      firstPlan: 20 * day,
      planLength: 30 * day,
      byNutch: true,
      onPlan: (now, plan) => plans.push({ ...plan, now }),
    });
    const expected = fetches(rewritten);
    expect(expected.length).toBeGreaterThan(500);
    const [own] = ownClasses(pages, start, end, [nutchByPlans(plans)]);
    expect(fetches(asFetched(own))).toEqual(expected);
  });
});
