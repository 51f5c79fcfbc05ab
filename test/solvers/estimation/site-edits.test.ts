import { describe, expect, it } from 'vitest';
import { anySite, type SiteModel, watchSite } from '../../../scripts/coverage/site-edits.ts';
import { crawlPlan, estimatesChangeRates, estimatesChangeSignals } from '../../../src/index.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type Estimate, solveChangeSignals } from '../../../src/solvers/change-signals/index.ts';
import { findSiteEdits, solveChangeRates } from '../../../src/solvers/estimation/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';

const plain: SiteModel = {
  pages: 25,
  checks: 30,
  rate: 0.1,
  spread: 0.8,
  precision: 0.6,
  recall: 0.6,
  edits: 0,
  touched: 0.9,
  editsSignalled: false,
};
const noPoll = (): void => {};

describe('edits of a whole host', () => {
  it('are found where most pages change at once, each in the checks that span it', () => {
    let edits = 0;
    let found = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const seen = watchSite({ ...plain, edits: 0.1 }, seededRandom(seed));
      const { spans, hosts } = findSiteEdits(seen, noPoll);
      const from = 1;
      const to = Math.min(...seen.lastCheck);
      for (const time of seen.editTimes) {
        if (time < from || time > to) continue;
        edits++;
        // of every page the check that spans it
        let spanning = 0;
        for (let i = 0; i < plain.pages; i++) {
          let end = seen.lastCheck[i];
          for (let k = seen.offsets[i + 1] - 1; k >= seen.offsets[i]; end -= seen.elapsed[k--]) {
            if (time > end - seen.elapsed[k] && time <= end) spanning += spans[k];
          }
        }
        if (spanning >= 0.8 * plain.pages) found++;
      }
      expect(hosts[0].edits).toBeLessThanOrEqual(seen.editTimes.length);
    }
    expect(edits).toBeGreaterThan(30);
    expect(found / edits).toBeGreaterThan(0.9);
  });

  it('are seen on no more than one in twenty hosts whose pages change by themselves', () => {
    let alarms = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const random = seededRandom(seed);
      const rate = 0.02 * 100 ** random();
      if (findSiteEdits(watchSite({ ...plain, rate }, random), noPoll).hosts[0].edits > 0) alarms++;
    }
    expect(alarms).toBeLessThanOrEqual(5);
  });

  it('are not seen where every page was checked once and had changed, or where checks have no time', () => {
    const pages = 100;
    const once = {
      offsets: Uint32Array.from({ length: pages + 1 }, (_, i) => i),
      elapsed: new Float64Array(pages).fill(1),
      changed: new Uint8Array(pages).fill(1),
      lastCheck: new Float64Array(pages).fill(5),
      host: new Int32Array(pages),
      hosts: 1,
    };
    expect(findSiteEdits(once, noPoll).hosts).toEqual([{ edits: 0, changes: 100, withEdits: 0 }]);
    const seen = watchSite({ ...plain, edits: 0.1 }, seededRandom(1));
    const undated = { ...seen, lastCheck: seen.lastCheck.map(() => Number.NaN) };
    expect(findSiteEdits(undated, noPoll).hosts[0].edits).toBe(0);
  });

  it('are found on hosts of more pages than are looked at, and marked on all of them', () => {
    const seen = watchSite({ ...plain, pages: 1200, checks: 8, rate: 0.02, edits: 0.2, touched: 1 }, seededRandom(3));
    const { hosts, spans } = findSiteEdits(seen, noPoll);
    expect(hosts[0].edits).toBeGreaterThan(0);
    const marked = Array.from({ length: 1200 }, (_, i) => spans.subarray(seen.offsets[i], seen.offsets[i + 1]));
    const full = marked.filter((list) => list.some((each) => each === 1)).length;
    expect(full).toBeGreaterThan(1100);
  });
});

const holds = ({ interval: [low, high] }: Estimate, value: number): boolean => low <= value && value <= high;

describe('intervals beside edits of whole hosts', () => {
  /** Shares of the runs in which precision and recall lay in their intervals. */
  const covered = (runs: number, dated: boolean): [precision: number, recall: number] => {
    const held: [number, number] = [0, 0];
    for (let run = 2; run <= 2 * runs; run += 2) {
      const random = seededRandom(run);
      const model = anySite(run, random);
      const seen = watchSite(model, random);
      const lastCheck = dated ? seen.lastCheck : seen.lastCheck.map(() => Number.NaN);
      const { precision, recall } = solveChangeSignals({ ...seen, lastCheck, confidence: 0.95 }, unlimitedBudget())
        .solution.overall;
      held[0] += Number(holds(precision, model.precision)) / runs;
      held[1] += Number(holds(recall, model.recall)) / runs;
    }
    return held;
  };

  it('hold precision and recall of the pages’ own changes, which without the time of checks they miss', () => {
    expect(Math.min(...covered(40, true))).toBeGreaterThan(0.87);
    expect(covered(20, false)[1]).toBeLessThan(0.8);
  });

  it('take the checks of a host without a clock to begin together, or to end so, as shows more edits', () => {
    const { lastCheck: _, ...seen } = watchSite({ ...plain, edits: 0.1 }, seededRandom(4));
    const watched = seen.ownRate.map((_, i) =>
      seen.elapsed.subarray(seen.offsets[i], seen.offsets[i + 1]).reduce((sum, gap) => sum + gap, 0),
    );
    const terms = { ...seen, confidence: 0.95 };
    const [begun, ended, guessed] = [watched, watched.map(() => 0), undefined].map((lastCheck) => {
      const problem = lastCheck === undefined ? terms : { ...terms, lastCheck };
      return solveChangeSignals(problem, unlimitedBudget()).solution.overall;
    });
    expect(begun.siteEdits).toBeGreaterThan(ended.siteEdits);
    expect(guessed).toEqual(begun);
  });

  it('hold the rates of all changes of the pages', () => {
    let held = 0;
    let pages = 0;
    for (let run = 2; run <= 160; run += 2) {
      const random = seededRandom(run);
      const model = anySite(run, random);
      const seen = watchSite(model, random);
      const history = { ...seen, outcome: seen.changed };
      const terms = { history, method: 'maximum-likelihood', prior: 'none', confidence: 0.95 } as const;
      const { low, high } = solveChangeRates(terms, unlimitedBudget()).solution.pages.interval;
      for (const [i, own] of seen.ownRate.entries()) {
        const rate = own + model.edits * model.touched;
        held += Number(low[i] <= rate && rate <= high[i]);
        pages++;
      }
    }
    expect(held / pages).toBeGreaterThan(0.92);
  });
});

describe('the warning of edits of whole hosts', () => {
  const now = 1_760_000_000;
  const day = 86_400;
  const seen = watchSite({ ...plain, edits: 0.1 }, seededRandom(2));
  const rows = Array.from(seen.lastCheck, (last, i) => {
    const own = Array.from({ length: seen.offsets[i + 1] - seen.offsets[i] }, (_, k) => seen.offsets[i] + k);
    return {
      host: 'docs.example',
      lastCrawl: now - day * (60 - last),
      checks: own.map((k): [number, boolean] => [day * seen.elapsed[k], seen.changed[k] === 1]),
      signalled: own.map((k): [number, boolean, number] => [
        day * seen.elapsed[k],
        seen.changed[k] === 1,
        seen.signals[k],
      ]),
    };
  });
  const plainRows = rows.map(({ host, lastCrawl, checks }) => ({ host, lastCrawl, checks }));

  it('says in change-signals, change-rates and crawl-plan how much of what was seen came with them', () => {
    const signalled = rows.map(({ host, lastCrawl, signalled: checks }) => ({ host, lastCrawl, checks }));
    const answers = [
      estimatesChangeSignals({ pages: signalled }),
      estimatesChangeRates({ pages: plainRows }),
      crawlPlan({ now, interval: day, crawls: 10, pages: plainRows }),
    ];
    for (const { warnings } of answers) {
      const said = warnings.find(({ code }) => code === 'site-wide-edits');
      expect(said?.detail).toMatch(/docs\.example: \d+% of \d+ changes, \d edits?/);
    }
    expect(answers[0].solution).toMatchObject({ hosts: [{ siteEdits: expect.any(Number) }] });
  });

  it('is a warning alone: the plan is the same as where no host is named, edits or none', () => {
    for (const edits of [0, 0.1]) {
      const own = watchSite({ ...plain, edits }, seededRandom(2));
      const pages = Array.from(own.lastCheck, (last, i) => ({
        host: 'docs.example',
        lastCrawl: now - day * (60 - last),
        checks: Array.from(own.elapsed.subarray(own.offsets[i], own.offsets[i + 1]), (gap, k): [number, boolean] => [
          day * gap,
          own.changed[own.offsets[i] + k] === 1,
        ]),
      }));
      const nameless = pages.map(({ lastCrawl, checks }) => ({ lastCrawl, checks }));
      const request = { now, interval: day, crawls: 10 };
      const { solution } = crawlPlan({ ...request, pages });
      expect(solution).toEqual(crawlPlan({ ...request, pages: nameless }).solution);
    }
  });

  it('is not given where pages name no host, or where counts stand for their checks', () => {
    const nowhere = plainRows.map(({ lastCrawl, checks }) => ({ lastCrawl, checks }));
    const counted = plainRows.map(({ host }) => ({
      host,
      lastCrawl: now - day,
      checks: { checks: 30, changes: 5, gap: day },
    }));
    for (const pages of [nowhere, counted]) {
      const { warnings } = crawlPlan({ now, interval: day, crawls: 10, pages });
      expect(warnings.map(({ code }) => code)).not.toContain('site-wide-edits');
    }
  });
});
