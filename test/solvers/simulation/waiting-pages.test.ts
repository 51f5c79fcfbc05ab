import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { WaitingPages } from '../../../src/solvers/simulation/waiting-pages.ts';

describe('waiting pages', () => {
  it('are taken oldest first, at random or by expiry, as a plain list would', () => {
    const random = seededRandom(11);
    const pages = new WaitingPages(20, seededRandom(12));
    let list: { arrival: number; expiry: number }[] = [];
    for (let step = 0; step < 20_000; step++) {
      if (list.length < 20 && random() < 0.55) {
        const page = { arrival: step, expiry: random() };
        pages.add(page.arrival, page.expiry);
        list.push(page);
      } else if (list.length > 0) {
        const way = random();
        if (way < 0.4) {
          expect(pages.takeOldest()).toBe(list[0].arrival);
          list = list.slice(1);
        } else if (way < 0.7) {
          const next = list.reduce((best, page) => (page.expiry < best.expiry ? page : best));
          expect(pages.takeExpired()).toBe(next.arrival);
          list = list.filter((page) => page !== next);
        } else {
          const arrival = pages.takeRandom();
          expect(list.some((page) => page.arrival === arrival)).toBe(true);
          list = list.filter((page) => page.arrival !== arrival);
        }
      }
      expect(pages.size).toBe(list.length);
      expect(pages.nextExpiry).toBe(Math.min(...list.map(({ expiry }) => expiry)));
    }
  });

  it('taken at random are each equally likely', () => {
    const counts = new Map<number, number>();
    for (let round = 0; round < 4000; round++) {
      const pages = new WaitingPages(4, seededRandom(round));
      for (let page = 0; page < 4; page++) pages.add(page, page);
      const taken = pages.takeRandom();
      counts.set(taken, (counts.get(taken) ?? 0) + 1);
    }
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});
