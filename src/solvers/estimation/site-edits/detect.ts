/**
 * Edits of a whole host at once (a new template, a rebuild), found in checks whose changes coincide beyond chance.
 *
 * Model: page i changes by itself at rate λ_i; an edit at time s changes each page of its host with chance q. A check
 * over (t − a, t] that spans s finds a change with chance q + (1 − q)p, where p = 1 − e^{−λa}. One that spans none
 * finds it with p. Method: the likelihood ratio of an edit at s, averaged over four q. One sweep over time gives it at
 * every s between two ends of checks. Its mean is 1 where there is no edit. So it passes m/α at one of m places with
 * chance α at most (Markov's inequality). Peaks above that are edits. The checks that span them are set aside and the
 * λ_i estimated anew without them; the sweep is made again until it finds no more.
 * Complexity: O(checks log checks) a host and sweep, at most `mostSweeps` sweeps.
 * Known limits: an edit of less than a fifth of the pages is not told from chance. Nor is one of pages that nearly
 * every check finds changed. Of a host with more pages than `largestSample` every k-th is looked at.
 */
import type { Poll } from '../../budget.ts';
import type { DatedChecks, SiteEdits, SiteEditsAnswer } from './problem.ts';
import { fewestPages, SpanSweep } from './sweep.ts';

/** Chance at most that an edit is seen on a host that has none: of 500 such hosts none showed one (scripts/coverage). */
const falseAlarm = 0.05;
const largestSample = 500;
const mostSweeps = 8;
const stepsPerCheck = 200;

/**
 * @param mostChecks of all hosts together, about so many are looked at
 * @throws NothingToReturn when the budget ends first
 */
export function findSiteEdits(checks: DatedChecks, poll: Poll, mostChecks = Number.POSITIVE_INFINITY): SiteEditsAnswer {
  const spans = new Uint8Array(checks.elapsed.length);
  const byHost: number[][] = Array.from({ length: checks.hosts }, () => []);
  for (let i = 0; i < checks.host.length; i++) {
    const dated = !Number.isNaN(checks.lastCheck[i]) && checks.offsets[i + 1] > checks.offsets[i];
    if (dated && checks.host[i] >= 0) byHost[checks.host[i]].push(i);
  }
  const least = Math.ceil(checks.elapsed.length / mostChecks);
  return { spans, hosts: byHost.map((pages) => editsOf(checks, pages, { spans, least }, poll)) };
}

/** What is written, and every how many pages are looked at, at least. */
interface Looking {
  readonly spans: Uint8Array;
  readonly least: number;
}

function editsOf(checks: DatedChecks, pages: readonly number[], { spans, least }: Looking, poll: Poll): SiteEdits {
  const stride = Math.max(1, least, Math.ceil(pages.length / largestSample));
  const sample = pages.filter((_, k) => k % stride === 0);
  if (sample.length < fewestPages) return { edits: 0, ...changesOf(checks, pages, spans) };
  const sweep = new SpanSweep(checks, sample);
  const times: number[] = [];
  for (let turn = 0; turn < mostSweeps; turn++) {
    poll(stepsPerCheck * sweep.checks);
    const found = sweep.peaks(spans, Math.log(sweep.places / falseAlarm));
    if (found.length === 0) break;
    for (const { time, checks: spanning } of found) {
      times.push(time);
      for (const k of spanning) spans[k] = 1;
    }
  }
  if (stride > 1) markAt(checks, pages, times, spans);
  return { edits: times.length, ...changesOf(checks, pages, spans) };
}

/** Marks the checks of all pages that span any of the times. */
function markAt(checks: DatedChecks, pages: readonly number[], times: readonly number[], spans: Uint8Array): void {
  const { offsets, elapsed, lastCheck } = checks;
  for (const i of pages) {
    let end = lastCheck[i];
    for (let k = offsets[i + 1] - 1; k >= offsets[i]; k--) {
      const start = end - elapsed[k];
      if (times.some((time) => time > start && time <= end)) spans[k] = 1;
      end = start;
    }
  }
}

function changesOf({ offsets, changed }: DatedChecks, pages: readonly number[], spans: Uint8Array) {
  let changes = 0;
  let withEdits = 0;
  for (const i of pages) {
    for (let k = offsets[i]; k < offsets[i + 1]; k++) {
      if (changed[k] === 0) continue;
      changes++;
      withEdits += spans[k];
    }
  }
  return { changes, withEdits };
}
