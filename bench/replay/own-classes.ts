/**
 * The crawlers' own classes in the replay, run by a JVM of their own (bench/replay/jvm; needs Maven and a JDK). They
 * are Nutch's AdaptiveFetchSchedule behind its CrawlDbReducer, and StormCrawler's AdaptiveScheduler. This project's
 * PlanFetchSchedule in Nutch, which follows plans, is there too.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CrawlPlan } from '../../src/solvers/crawl-plan/index.ts';
import type { PageHistory } from './page-history.ts';
import { gridPhase, gridStep, type Policy } from './replay.ts';

export interface OwnClass {
  readonly crawler: 'nutch' | 'stormcrawler';
  /** By the crawler's own names; what is left out is as it ships. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** For a schedule that follows plans. */
  readonly plans?: readonly DatedPlan[];
}

/** Figures of a plan as a crawler gets them: every page's next fetch and intervals, from a time of the grid on. */
export interface DatedPlan extends Pick<CrawlPlan, 'nextFetch' | 'intervalIfUnchanged' | 'intervalIfChanged'> {
  readonly now: number;
}

/** Nutch with the class of integrations/nutch, and the plans that it gets. */
export function nutchByPlans(plans: readonly DatedPlan[]): OwnClass {
  const schedule = 'org.crawloptimizer.nutch.PlanFetchSchedule';
  return { crawler: 'nutch', settings: { 'db.fetch.schedule.class': schedule }, plans };
}

function planLine({ now, nextFetch, intervalIfUnchanged, intervalIfChanged }: DatedPlan): string {
  const figure = (value: number): string => (Number.isFinite(value) ? String(value) : '-');
  const pages = Array.from(nextFetch, (next, i) =>
    [next, intervalIfUnchanged[i], intervalIfChanged[i]].map(figure).join(' '),
  );
  return `plan ${now} ${pages.join(' ')}`;
}

/** What a crawler fetched: for each time of the grid its pages, and whether each was found changed. */
export type Fetches = ReadonlyMap<number, { readonly pages: number[]; readonly changed: boolean[] }>;

/** Replays the pages under each of `runs`, in one JVM; whole seconds. */
export function ownClasses(
  pages: readonly PageHistory[],
  start: number,
  end: number,
  runs: readonly OwnClass[],
): readonly Fetches[] {
  const folder = mkdtempSync(join(tmpdir(), 'replay-'));
  const input = join(folder, 'input');
  const output = join(folder, 'output');
  const lines = [
    `grid ${start} ${start + gridPhase} ${gridStep} ${end}`,
    ...pages.map(({ changes }) => ['page', ...Array.from(changes, (time) => Math.ceil(time))].join(' ')),
    ...runs.flatMap(({ crawler, settings, plans = [] }) => [
      ...plans.map(planLine),
      ['run', crawler, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)].join(' '),
    ]),
  ];
  writeFileSync(input, `${lines.join('\n')}\n`);
  const words = ['-q', '-B', '-f', resolve('bench/replay/jvm/pom.xml'), 'compile', 'exec:java'];
  const run = spawnSync('mvn', [...words, `-Dexec.args=${input} ${output}`], { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (run.status !== 0) {
    rmSync(folder, { recursive: true });
    throw new Error(`the crawlers' own classes need Maven and a JDK: ${run.error?.message ?? run.stdout + run.stderr}`);
  }
  const said = readFileSync(output, 'utf8');
  rmSync(folder, { recursive: true });
  return said.split('run\n').slice(1).map(parseFetches);
}

function parseFetches(text: string): Fetches {
  const fetches = new Map<number, { pages: number[]; changed: boolean[] }>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [time, page, bit] = line.split(' ').map(Number);
    const now = fetches.get(time) ?? { pages: [], changed: [] };
    now.pages.push(page);
    now.changed.push(bit === 1);
    fetches.set(time, now);
  }
  return fetches;
}

/** Fetches made already, as a policy; throws where the replay's bits are not those that the crawler acted upon. */
export function asFetched(fetches: Fetches): Policy {
  return {
    choose: (time) => fetches.get(time)?.pages ?? [],
    observe(page, time, _elapsed, changed) {
      const now = fetches.get(time);
      if (now?.changed[now.pages.indexOf(page)] !== changed) throw new Error(`page ${page} at ${time}: another bit`);
    },
  };
}
