/** Pages that a schedule passes over, as they are not worth a fetch before it ends: that changes no schedule. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { openSlots } from '../../../src/solvers/crawl-plan/limits/allowed.ts';
import { scheduleByIndex } from '../../../src/solvers/crawl-plan/place/by-index/index-schedule.ts';
import { plainPages } from '../../../src/solvers/crawl-plan/rates/plain-pages.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { beliefsOf, memoryPrior } from '../../../src/solvers/pages/evidence/index.ts';
import { type ObjectiveName, stalenessCost } from '../../../src/solvers/pages/objectives/index.ts';

/** Pages of random beliefs, every third of a known rate; mean times to a change from a hundredth to a hundred. */
function randomPages(pages: number, objective: ObjectiveName, seed: number) {
  const random = seededRandom(seed);
  const beliefs = beliefsOf(pages, memoryPrior(1, 1));
  const { shape, scale } = beliefs;
  for (let at = 0; at < shape.length; at++) {
    shape[at] = 0.05 + 3 * random() ** 3;
    scale[at] = shape[at] * 100 ** (2 * random() - 1);
  }
  const known = new Uint8Array(pages).map((_, i) => (i % 3 === 0 ? 1 : 0));
  const rate = new Float64Array(pages).map(() => 100 ** (2 * random() - 1));
  const weight = new Float64Array(pages).map(() => 0.1 + random());
  const terms = { weight, objective: stalenessCost(objective), unseenAge: 1 };
  return { random, model: plainPages({ rate, known, beliefs, signalled: null }, terms) };
}

const objectives: ObjectiveName[] = ['freshness', 'delay', 'harmonic'];

describe.each(objectives)('under %s', (objective) => {
  it('a schedule is the same where pages are passed over that stay out to its end', () => {
    for (const [seed, crawls] of [400, 2000, 9000].entries()) {
      const pages = 1500;
      const { random, model } = randomPages(pages, objective, seed);
      const fill = (value: number) => new Float64Array(pages).fill(value);
      const asked = {
        model,
        slots: openSlots({ interval: 1, slotsByCrawler: Uint32Array.of(crawls) }),
        interval: 1,
        age: new Float64Array(pages).map(() => (random() < 0.1 ? Number.POSITIVE_INFINITY : 2 * random())),
        minInterval: fill(0).map(() => (random() < 0.1 ? 0.3 * random() : 0)),
        maxInterval: fill(Number.POSITIVE_INFINITY),
        cap: fill(3).map(() => (random() < 0.5 ? Number.POSITIVE_INFINITY : 1 + 3 * random())),
        host: new Int32Array(pages).map((_, i) => (i % 7 === 0 ? 0 : -1)),
        hostDelay: Float64Array.of(1 / 300),
        price: model.worth(1, pages / crawls),
        shortInterval: 0.05,
      };
      const plain = scheduleByIndex(asked, unlimitedBudget());
      const { page, costTime } = scheduleByIndex({ ...asked, isPlain: true }, unlimitedBudget());
      expect(page).toEqual(plain.page);
      expect(costTime).toEqual(plain.costTime);
      expect(page.some((i) => i >= 0)).toBe(true);
    }
  });
});
