import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { checkHistory } from '../../../src/solvers/estimation/index.ts';
import { chooseGroupRhythms, chooseRhythm, RhythmClock, utc } from '../../../src/solvers/estimation/rhythm/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { type Course, changesIn, dailyWave, day, flat, monday, officeHours, watch } from '../rhythmic-pages.ts';

const hour = 3600;
const span = [monday, monday + 60 * day] as const;

function logOf(courses: readonly Course[], seed: number) {
  const random = seededRandom(seed);
  const changes = courses.map((course) => changesIn(course, (0.1 + 0.4 * random()) / day, span, random));
  const log = watch(changes, span, 0.5 * day, random);
  return { history: log.history(), lastSeen: log.lastFetch, wall: utc };
}

describe('the clock of a rhythm', () => {
  const course = Float64Array.from({ length: 168 }, (_, h) => 0.5 + ((55 * h) % 168) / 167);
  /** Berlin, with the change of the clocks on Sunday, 2024-03-31, 01:00 UTC. */
  const spring = 1_711_846_800;
  const berlin = {
    from: Float64Array.of(Number.NEGATIVE_INFINITY, spring),
    offset: Float64Array.of(hour, 2 * hour),
  };

  it('shows the integral of the course by the clock on the wall, with its changes', () => {
    const clock = new RhythmClock(course, berlin);
    const from = spring - 30.3 * hour;
    for (const to of [from + 2 * hour, spring + 0.7 * hour, spring + 9.1 * day]) {
      let sum = 0;
      const step = 36;
      for (let t = from + 0.5 * step; t < to; t += step) {
        const wall = t + (t < spring ? hour : 2 * hour);
        sum += step * course[Math.floor(((((wall - monday) / hour) % 168) + 168) % 168)];
      }
      expect(clock.at(to) - clock.at(from)).toBeCloseTo(sum, -2);
      expect(clock.after(from, clock.at(to) - clock.at(from))).toBeCloseTo(to, -1);
    }
  });

  it('is the real time where the course is flat, and finds nothing urgent but what is stale', () => {
    const clock = new RhythmClock(new Float64Array(168).fill(1), berlin);
    expect(clock.at(spring + 5 * day) - clock.at(spring - day)).toBeCloseTo(6 * day, 5);
    expect(clock.urgency(clock.hourAt(spring), 0.3, 1e-6)).toBeCloseTo(0.3 + 1e-6 * 0.5 * hour, 9);
  });

  it('finds a fetch most urgent when a rush is over', () => {
    const rush = Float64Array.from({ length: 168 }, (_, h) => (h % 24 >= 9 && h % 24 < 17 ? 2.4 : 0.3));
    const { urgencyByHour } = new RhythmClock(rush, utc);
    const hours = Array.from(urgencyByHour.subarray(24, 48));
    expect(hours.indexOf(Math.max(...hours))).toBe(17);
    expect(hours.indexOf(Math.min(...hours))).toBe(9);
  });
});

describe('a rhythm of changes', () => {
  it('is found where pages keep hours, and its intervals hold the truth', () => {
    let held = 0;
    for (let seed = 1; seed <= 3; seed++) {
      const truth = dailyWave(15, 0.9);
      const { taken, hours } = chooseRhythm(logOf(new Array<Course>(80).fill(truth), seed), unlimitedBudget());
      expect(taken).toBe(true);
      for (let h = 0; h < 24; h++) {
        const rate = truth((h + 0.5) * hour);
        if (hours.low[h] <= rate && rate <= hours.high[h]) held++;
      }
    }
    // 72 intervals of 95%, dependent within a run
    expect(held).toBeGreaterThan(60);
  });

  it.each([
    ['saw a change', 1],
    ['saw none', 0],
  ])('is looked for where a check so soon after another that moments cannot tell them apart %s', (_, outcome) => {
    const log = logOf(new Array<Course>(20).fill(dailyWave(15, 0.9)), 4);
    const elapsed = log.history.elapsed.slice();
    const outcomes = log.history.outcome.slice();
    for (const i of [1, 7]) {
      elapsed[log.history.offsets[i]] = 1e-15;
      outcomes[log.history.offsets[i]] = outcome;
      elapsed[log.history.offsets[i + 1] - 1] = 1e-15;
      outcomes[log.history.offsets[i + 1] - 1] = outcome;
    }
    const history = { ...log.history, elapsed, outcome: outcomes };
    const { evidence, hours } = chooseRhythm({ ...log, history }, unlimitedBudget());
    expect(Number.isFinite(evidence)).toBe(true);
    expect(hours.low.every(Number.isFinite)).toBe(true);
  });

  it('tells weekdays from weekends', () => {
    const { taken, days } = chooseRhythm(logOf(new Array<Course>(80).fill(officeHours), 3), unlimitedBudget());
    expect(taken).toBe(true);
    const weekend = Math.max(days.rate[5], days.rate[6]);
    for (let d = 0; d < 5; d++) expect(days.rate[d]).toBeGreaterThan(weekend);
  });

  it('is not taken where there is none, nor where all fetches keep to one hour', () => {
    for (let seed = 1; seed <= 3; seed++) {
      expect(chooseRhythm(logOf(new Array<Course>(60).fill(flat), seed), unlimitedBudget()).taken).toBe(false);
    }
    const random = seededRandom(9);
    const atSeven = checkHistory(
      Array.from({ length: 60 }, () => {
        const changes = changesIn(dailyWave(15, 1), 0.3 / day, span, random);
        return Array.from({ length: 60 }, (_, d): [number, number] => {
          const [from, to] = [monday + d * day, monday + (d + 1) * day];
          return [day, changes.some((time) => time > from && time <= to) ? 1 : 0];
        });
      }),
    );
    const log = { history: atSeven, lastSeen: new Float64Array(60).fill(span[1]), wall: utc };
    expect(chooseRhythm(log, unlimitedBudget()).taken).toBe(false);
  });

  it('takes changes of known times where the record is complete', () => {
    const random = seededRandom(4);
    const truth = dailyWave(6, 0.9);
    const pages = Array.from({ length: 60 }, () => {
      const times = [span[0], ...changesIn(truth, 0.5 / day, span, random)];
      const gaps = times.slice(1).map((time, k): [number, number] => [time - times[k], 2]);
      return [...gaps, [span[1] - times[times.length - 1], 0] as [number, number]];
    });
    const log = {
      history: checkHistory(pages),
      lastSeen: new Float64Array(60).fill(span[1]),
      complete: new Int32Array(60).fill(1),
      wall: utc,
    };
    const { taken, hours } = chooseRhythm(log, unlimitedBudget());
    expect(taken).toBe(true);
    for (let h = 0; h < 24; h++) expect(Math.abs(Math.log(hours.rate[h] / truth((h + 0.5) * hour)))).toBeLessThan(0.3);
  });

  it('is found of a group that keeps hours of its own, and of no other', () => {
    const night = dailyWave(3, 0.9);
    const noon = dailyWave(15, 0.9);
    const group = Int32Array.from({ length: 120 }, (_, i) => i % 3);
    const log = logOf(
      Array.from(group, (g) => (g === 0 ? night : noon)),
      2,
    );
    const common = chooseRhythm(log, unlimitedBudget());
    const own = chooseGroupRhythms(log, group, common, unlimitedBudget());
    const found = own.find((each) => each.group === 0);
    expect(found?.pages).toBe(40);
    const { hours } = found?.choice ?? common;
    expect(hours.rate[3]).toBeGreaterThan(1.5);
    expect(hours.rate[15]).toBeLessThan(0.7);
    expect(common.hours.rate[15]).toBeGreaterThan(1.2);
  });

  it.each(['events', 'checks'])('is found where pages change shortly after every noon, by their %s', (kind) => {
    const days = 60;
    const noon = 12.25 * hour;
    const pages = Array.from({ length: 50 }, (_, p) => {
      const gaps: [number, number][] = [];
      for (let d = 0; d < days; d++) {
        if (kind === 'events') gaps.push([d === 0 ? noon + 7 * p : day, 2]);
        else gaps.push([3 * hour, 1], [21 * hour, 0]);
      }
      if (kind === 'events') gaps.push([day - noon - 7 * p, 0]);
      return gaps;
    });
    const end = monday + days * day + (kind === 'events' ? 0 : 11 * hour);
    const log = {
      history: checkHistory(pages),
      lastSeen: new Float64Array(50).fill(end),
      complete: new Int32Array(50).fill(kind === 'events' ? 1 : 0),
      wall: utc,
    };
    const { taken, hours } = chooseRhythm(log, unlimitedBudget());
    expect(taken).toBe(true);
    expect(hours.rate[12]).toBeGreaterThan(10);
    for (let h = 0; h < 24; h++) if (Math.abs(h - 12) > 1) expect(hours.rate[h]).toBeLessThan(0.1 * hours.rate[12]);
  });

  it('is found of changes shortly after noon though other pages changed in every gap, of a second too', () => {
    const days = 60;
    const pages: [number, number][][] = Array.from({ length: 200 }, (_, p) => {
      const gaps = Array.from({ length: days }, (_, d): [number, number] => [d === 0 ? 12.25 * hour + 7 * p : day, 2]);
      return [...gaps, [day - 12.25 * hour - 7 * p, 0]];
    });
    for (let p = 0; p < 20; p++) {
      const twice: [number, number][] = [];
      for (let d = 0; d < 30; d++) twice.push([1, 1], [day - 1, 1]);
      pages.push([...twice, [1, 1]]);
    }
    const end = monday + days * day;
    const log = {
      history: checkHistory(pages),
      lastSeen: Float64Array.from(pages, (_, p) => (p < 200 ? end : end + 14 * hour)),
      complete: Int32Array.from(pages, (_, p) => (p < 200 ? 1 : 0)),
      wall: utc,
    };
    const { taken, hours } = chooseRhythm(log, unlimitedBudget());
    expect(taken).toBe(true);
    expect(hours.rate.indexOf(Math.max(...hours.rate))).toBe(12);
  });

  it('of random sharp hours has finite evidence, and is no worse than none', () => {
    const random = seededRandom(11);
    for (let run = 0; run < 12; run++) {
      const at = 24 * random() * hour;
      const width = 60 + 3 * hour * random() ** 2;
      const pages = Array.from({ length: 30 }, () => {
        const times = Array.from({ length: 40 }, (_, d) => d * day + Math.min(at + width * random(), day - 1));
        const gaps = times.map((time, k): [number, number] => [time - (times[k - 1] ?? 0), 2]);
        return [...gaps, [40 * day - times[39], 0] as [number, number]];
      });
      const log = {
        history: checkHistory(pages),
        lastSeen: new Float64Array(30).fill(monday + 40 * day),
        complete: new Int32Array(30).fill(1),
        wall: utc,
      };
      const { evidence, hours } = chooseRhythm(log, unlimitedBudget());
      expect(Number.isFinite(evidence)).toBe(true);
      expect(evidence).toBeGreaterThan(0);
      expect(hours.low.every(Number.isFinite) && hours.high.every(Number.isFinite)).toBe(true);
    }
  });
});
