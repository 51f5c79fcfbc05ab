/** Our counters and histograms against prom-client's own, fed with the same events. */
import { Counter, Histogram, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { Counters, Histograms } from '../../src/http/tallies.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');
/** Sums are added up in another order of events, so they differ in their last digits. */
const rounded = (text: string): string[] =>
  lines(text).map((line) =>
    line.replace(/(_sum\{.*\}) (.*)$/, (_, name, sum) => `${name} ${Number(sum).toPrecision(12)}`),
  );

const labelNames = ['operation', 'status'];
const places = [
  ['crawler-count', 'optimal'],
  ['crawl-plan', 'feasible'],
  ['quo"ted\\', 'a\nb'],
];

describe('counters', () => {
  it('print what prom-client prints', async () => {
    const description = { name: 'answers_total', help: 'Answers', labelNames };
    const registry = new Registry();
    const theirs = new Counter({ ...description, registers: [registry] });
    const ours = new Counters(description);
    for (let i = 0; i < 20; i++) {
      const values = places[(i * i) % places.length];
      theirs.inc(Object.fromEntries(labelNames.map((name, k) => [name, values[k]])));
      ours.of(...values).value++;
    }
    expect(lines(ours.text())).toEqual(lines(await registry.metrics()));
  });
});

describe('histograms', () => {
  it('print what prom-client prints, for values on, between and above the bounds', async () => {
    const description = { name: 'solve_seconds', help: 'Time', labelNames };
    const buckets = [0, 0.001, 0.5, 60];
    const registry = new Registry();
    const theirs = new Histogram({ ...description, buckets, registers: [registry] });
    const ours = new Histograms(description, buckets);
    const random = seededRandom(7);
    for (let i = 0; i < 200; i++) {
      const values = places[i % places.length];
      const value = i < 20 ? buckets[i % buckets.length] : 100 * random() ** 8;
      theirs.observe(Object.fromEntries(labelNames.map((name, k) => [name, values[k]])), value);
      ours.of(...values).observe(value);
    }
    expect(rounded(ours.text())).toEqual(rounded(await registry.metrics()));
  });
});
