/** Index schedules against the rule itself, slot by slot over all pages. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import {
  hostBurst,
  type ScheduleProblem,
  scheduleByEpochs,
  scheduleSlotBySlot,
} from '../../../src/solvers/schedule/index.ts';

/** Worth w·λa²/2 of pages of random weight and rate. */
function problemOf(random: Random, pages: number, slots: number): ScheduleProblem {
  const column = (of: () => number): Float64Array => Float64Array.from({ length: pages }, of);
  const scale = column(() => 10 ** (2 * random()));
  const host = Int32Array.from({ length: pages }, () => Math.floor(4 * random()) - 1);
  return {
    model: {
      pages,
      worth: (i, age) => (age === Number.POSITIVE_INFINITY ? 50 * scale[i] : 0.5 * scale[i] * age * age),
      ageAt: (i, price) => Math.sqrt((2 * price) / scale[i]),
      recordFetch: () => {},
    },
    slotTime: Float64Array.from({ length: slots }, (_, s) => s / slots),
    interval: 1,
    age: column(() => (random() < 0.1 ? Number.POSITIVE_INFINITY : random())),
    minInterval: column(() => (random() < 0.3 ? 0.2 * random() : 0)),
    maxInterval: column(() => Number.POSITIVE_INFINITY),
    notBefore: column(() => (random() < 0.1 ? random() : 0)),
    cap: column(() => (random() < 0.5 ? Number.POSITIVE_INFINITY : 0.5 + random())),
    host,
    hostDelay: Float64Array.of(2 / slots, 0, 0.5 / slots),
    hostRate: Float64Array.of(Number.POSITIVE_INFINITY, slots / 8, Number.POSITIVE_INFINITY),
    price: 1,
  };
}

/** Whether a page may be fetched at a time, after these fetches (slots and pages). */
function mayBeFetched(p: ScheduleProblem, page: ArrayLike<number>, s: number, i: number): boolean {
  const time = p.slotTime[s];
  let [own, ofHost, fetches] = [-p.age[i], Number.NEGATIVE_INFINITY, 0];
  const h = p.host[i];
  for (const [k, other] of p.host.entries()) if (h >= 0 && other === h) ofHost = Math.max(ofHost, -p.age[k]);
  // at its largest rate a host is at most a burst ahead, counted from any fetch of it on
  let room = Number.POSITIVE_INFINITY;
  const times: number[] = [];
  for (let k = 0; k < s; k++) {
    if (page[k] === i) own = p.slotTime[k];
    if (page[k] >= 0 && h >= 0 && p.host[page[k]] === h) times.push(p.slotTime[k]);
  }
  if (times.length > 0) ofHost = Math.max(ofHost, times[times.length - 1]);
  for (const from of times) {
    fetches = times.filter((each) => each >= from).length;
    room = Math.min(room, hostBurst + 1 + (time - from) * (p.hostRate?.[h] ?? Infinity) - fetches);
  }
  return (
    time - own >= p.minInterval[i] * (1 - 1e-12) &&
    time >= (p.notBefore?.[i] ?? 0) &&
    (h < 0 || (time - ofHost >= p.hostDelay[h] * (1 - 1e-12) && room >= 1 - 1e-9))
  );
}

function ageAt(p: ScheduleProblem, page: ArrayLike<number>, s: number, i: number): number {
  let last = -p.age[i];
  for (let k = 0; k < s; k++) if (page[k] === i) last = p.slotTime[k];
  return p.slotTime[s] - last;
}

describe('slot by slot', () => {
  it('every slot goes to the page worth most that may be fetched, those past their cap first', () => {
    for (let seed = 1; seed <= 6; seed++) {
      const p = problemOf(seededRandom(seed), 24, 60);
      const { page } = scheduleSlotBySlot(p, unlimitedBudget());
      for (let s = 0; s < page.length; s++) {
        const keys = Array.from(p.age, (_, i) => {
          if (!mayBeFetched(p, page, s, i)) return Number.NEGATIVE_INFINITY;
          const age = ageAt(p, page, s, i);
          return p.model.worth(i, Math.max(0, age)) + (age >= p.cap[i] && p.cap[i] < Infinity ? 1e9 : 0);
        });
        const most = Math.max(...keys);
        if (page[s] < 0) expect(most).toBeLessThanOrEqual(0);
        else expect(keys[page[s]]).toBeGreaterThanOrEqual(most * (1 - 1e-9));
      }
    }
  });
});

describe('by epochs', () => {
  it('keeps the same limits, at little loss', () => {
    let [lost, best] = [0, 0];
    for (let seed = 1; seed <= 6; seed++) {
      const p = problemOf(seededRandom(seed), 60, 400);
      const [quick, exact] = [
        scheduleByEpochs({ ...p, shortInterval: 0.05 }, unlimitedBudget()),
        scheduleSlotBySlot(p, unlimitedBudget()),
      ];
      for (const [s, i] of quick.page.entries()) {
        if (i >= 0) expect(mayBeFetched(p, quick.page, s, i)).toBe(true);
      }
      const worth = (page: Int32Array): number =>
        page.reduce((sum, i, s) => sum + (i < 0 ? 0 : Math.min(1e3, p.model.worth(i, ageAt(p, page, s, i)))), 0);
      lost += worth(quick.page);
      best += worth(exact.page);
    }
    expect(lost / best).toBeGreaterThan(0.95);
    expect(lost / best).toBeLessThan(1.05);
  });
});
