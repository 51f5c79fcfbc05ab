/** A large plan, parts of which another thread makes. */
import { expect, it } from 'vitest';
import { ThreadAside } from '../../src/dispatch/aside/thread-aside.ts';
import { serialise } from '../../src/dispatch/serialise.ts';
import { crawlPlan } from '../../src/operations/crawl-plan.ts';
import { type Aside, unlimitedBudget } from '../../src/solvers/budget.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { asideFile } from '../../src/worker-file.ts';
import { timed } from '../timed.ts';

const pages = 12_000;
const checksEach = 42;
const now = 1_790_000_000;

/** Pages of very different rates, checked every hour to every ten days; every tenth rate is given. */
function largeRequest() {
  const random = seededRandom(20);
  const checks = Array.from({ length: pages }, () => {
    const gap = 3600 * 240 ** random();
    const chance = -Math.expm1(-gap * 1e-7 * 1e4 ** random());
    return Array.from({ length: checksEach }, () => [Math.ceil(gap * (0.5 + random())), random() < chance ? 1 : 0]);
  });
  const lastCrawl = checks.map(() => Math.floor(now - 86_400 * random()));
  const changeRate = checks.map((_, i) => (i % 10 === 0 ? 1e-6 : null));
  return { pages: { checks, lastCrawl, changeRate }, now, interval: 86_400, crawls: 4000 };
}

it(
  'a large plan is the same to the bit where another thread filters half of the pages and finds the bound',
  timed,
  () => {
    const checked = crawlPlan.check(largeRequest());
    if (!checked.ok) throw new Error(JSON.stringify(checked.issues.slice(0, 3)));
    const thread = new ThreadAside(asideFile);
    const given: string[] = [];
    const aside: Aside = {
      start(task, input, budget) {
        given.push(task.name);
        const run = () => {
          throw new Error(`${task.name} was not done there`);
        };
        return thread.start({ name: task.name, run }, input, budget);
      },
    };
    const alone = serialise(checked.request.solve(unlimitedBudget()));
    const together = serialise(checked.request.solve({ ...unlimitedBudget(), aside }));
    expect(given).toEqual(['filter-histories', 'interval-bound']);
    expect(together).toBe(alone);
  },
);
