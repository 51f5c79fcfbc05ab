import { describe, expect, it } from 'vitest';
import { crawlPlan } from '../../../src/operations/crawl-plan.ts';
import { type Budget, NothingToReturn, unlimitedBudget } from '../../../src/solvers/budget.ts';

const day = 86_400;
const now = 1_760_000_000;

interface Solved {
  readonly status: string;
  readonly warnings: readonly string[];
  readonly idleSlots: number;
}

/** Checks and solves a body as the service does; `nothing` when the time was up before there was a plan. */
function solved(body: object, budget: Budget): Solved {
  const checked = crawlPlan.check(body);
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues.slice(0, 3)));
  try {
    const answer = checked.request.solve(budget) as {
      readonly status: string;
      readonly warnings?: readonly { readonly code: string }[];
      readonly solution?: { readonly idleSlots: number };
    };
    return {
      status: answer.status,
      warnings: (answer.warnings ?? []).map(({ code }) => code),
      idleSlots: answer.solution?.idleSlots ?? Number.NaN,
    };
  } catch (error) {
    if (!(error instanceof NothingToReturn)) throw error;
    return { status: 'nothing', warnings: [], idleSlots: Number.NaN };
  }
}

/** Pages in columns, never fetched unless told, of known rates. */
function pagesOf(count: number, more: object = {}): object {
  return { changeRate: new Array<number>(count).fill(1e-5), ...more };
}

/** Found by a fuzzer: 7 s on the event loop, its slots not counted as work. */
const threePages = {
  now,
  interval: 1,
  crawls: 5_000_000,
  pages: { host: ['p4', '', null], observations: [null, null, null], changeRate: 1e9 },
  minInterval: 2.2827744295354933,
  maxInterval: 1e12,
  hosts: [
    { host: 'p3', minDelay: 2.4016259517520666 },
    { host: 'p4', minDelay: 0.695894580334425 },
    { host: 'p0', minDelay: 6.554698291813489e-19 },
  ],
  evenShare: 1,
};

describe('the work of a plan', () => {
  it('counts its slots, so that few pages with many crawls are not solved between two requests', () => {
    const checked = crawlPlan.check(threePages);
    if (!checked.ok) throw new Error('refused');
    expect(checked.request.work()).toBeGreaterThan(1e9);
  });

  it('passes over slots in which no page may be fetched', () => {
    const { status, idleSlots } = solved(threePages, unlimitedBudget());
    expect(status).toBe('feasible');
    expect(idleSlots).toBe(5_000_000 - 3);
  });

  it('leaves no slot empty of few pages with many crawls', () => {
    const body = { now, interval: day, crawls: 30_000, pages: pagesOf(3) };
    expect(solved(body, unlimitedBudget()).idleSlots).toBe(0);
  });
});

describe('the time limit of a plan', () => {
  const million = 1_000_000;

  it('gives a feasible plan with a warning', () => {
    const body = { now, interval: day, crawls: million, pages: pagesOf(20_000), minInterval: 60 };
    let polls = 0;
    const { status, warnings } = solved(body, { ...unlimitedBudget(), stopRequested: () => polls++ > 2000 });
    expect(status).toBe('feasible');
    expect(warnings).toContain('stopped-early');
  });
});

describe('a plan that the time limit stops', () => {
  const pages = Array.from({ length: 4000 }, (_, i) => ({
    changeRate: 10 ** (-6 + ((i * 7919) % 3000) / 1000),
    lastCrawl: now - 600 * (1 + (i % 97)),
    host: `h${i % 11}`,
  }));
  const stoppedAfter = (last: number, more: object) => {
    let polls = 0;
    const checked = crawlPlan.check({ now, interval: day, crawls: 20_000, pages, ...more });
    if (!checked.ok) throw new Error('refused');
    return checked.request.solve({ ...unlimitedBudget(), stopRequested: () => polls++ >= last }) as {
      readonly objective: { readonly value: number };
      readonly supplement: { readonly baselines: { readonly uniform: number } };
      readonly solution: { readonly idleSlots: number };
      readonly warnings: readonly { readonly code: string; readonly detail: string }[];
    };
  };

  it.each([{}, { hosts: [{ host: 'h1', minDelay: 200 }] }, { minInterval: 3600 }])(
    'spends its crawls as far as limits allow, and is no worse than pages in turn: %o',
    (more) => {
      const whole = stoppedAfter(Number.POSITIVE_INFINITY, more);
      const { uniform } = whole.supplement.baselines;
      let stopped = 0;
      for (const polls of [200, 300, 400, 500, 600, 800]) {
        const answer = (() => {
          try {
            return stoppedAfter(polls, more);
          } catch (error) {
            if (error instanceof NothingToReturn) return null;
            throw error;
          }
        })();
        if (answer === null) continue;
        const early = answer.warnings.find(({ code }) => code === 'stopped-early');
        if (early?.detail.includes('in turn') !== true) continue;
        stopped++;
        expect(answer.solution.idleSlots).toBe(0);
        expect(answer.objective.value).toBeLessThanOrEqual(uniform * (1 + 1e-9));
        expect(answer.warnings.map(({ code }) => code)).not.toContain('idle-slots');
      }
      expect(stopped).toBeGreaterThan(0);
    },
  );
});
