import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { WaitingPages } from '../../../src/solvers/simulation/waiting-pages.ts';

describe('waiting pages', () => {
  it('are taken oldest first or by expiry, as a plain list would', () => {
    const random = seededRandom(11);
    const pages = new WaitingPages(20);
    let list: { arrival: number; expiry: number }[] = [];
    for (let step = 0; step < 20_000; step++) {
      if (list.length < 20 && random() < 0.55) {
        const page = { arrival: step, expiry: random() };
        pages.add(page.arrival, page.expiry);
        list.push(page);
      } else if (list.length > 0) {
        if (random() < 0.5) {
          expect(pages.takeOldest()).toBe(list[0].arrival);
          list = list.slice(1);
        } else {
          const next = list.reduce((best, page) => (page.expiry < best.expiry ? page : best));
          expect(pages.takeExpired()).toBe(next.arrival);
          list = list.filter((page) => page !== next);
        }
      }
      expect(pages.size).toBe(list.length);
      expect(pages.nextExpiry).toBe(Math.min(...list.map(({ expiry }) => expiry)));
    }
  });
});
