/**
 * Writes examples/pilot: the probes of a simulated crawler whose truth is known. 500 pages change at three rates. The
 * plan leaves alone those that change too fast to be kept current; the incumbent takes all pages in turn. Both make 100
 * fetches a day where they have all pages. Prints the true difference over the pilot.
 */
import { writeFileSync } from 'node:fs';
import type { Pilot } from '../src/logs/pilot.ts';
import { coin } from '../src/solvers/freshness/index.ts';
import { seededRandom } from '../src/solvers/numerics/random/random.ts';

const day = 86_400;
const start = Date.parse('2026-03-02T00:00:00Z') / 1000;
const days = 50;
const pilot: Pilot = { seed: 'an example', start, period: day, probeEvery: day / 120, unit: 'page', grace: 900 };

/** Changes a day; days between two fetches under the plan (null: none) and in turn. */
const kinds = [
  { name: 'slow', pages: 150, rate: 0.02, plan: 10, inTurn: 5 },
  { name: 'middling', pages: 200, rate: 0.5, plan: 2.35, inTurn: 5 },
  { name: 'fast', pages: 150, rate: 20, plan: null, inTurn: 5 },
] as const;

const random = seededRandom(11);
const pages = kinds.flatMap(({ name, pages: count, rate, plan, inTurn }) =>
  Array.from({ length: count }, (_, i) => {
    const changes: number[] = [];
    for (let t = start - 60 * day; t < start + days * day; t += (-Math.log1p(-random()) * day) / rate) changes.push(t);
    return { id: `${name}-${i}`, changes, plan, inTurn, phase: random() };
  }),
);
type Page = (typeof pages)[number];

/** Whether a copy fetched at even intervals is current; one that is never fetched is of the time before. */
function isCurrent({ changes, phase }: Page, time: number, every: number | null): boolean {
  if (every === null) return false;
  const fetched = (Math.floor(time / (every * day) - phase) + phase) * every * day;
  return !changes.some((change) => change > fetched && change <= time);
}

const lines = ['time,page,current'];
for (let cell = 0; cell < days * 120; cell++) {
  const time = Math.floor(start + (cell + random()) * pilot.probeEvery);
  const page = pages[Math.floor(random() * pages.length)];
  const arm = coin(pilot.seed, page.id, Math.floor(time / pilot.period));
  lines.push(`${time},${page.id},${isCurrent(page, time, arm === 'plan' ? page.plan : page.inTurn) ? 1 : 0}`);
}
const folder = new URL('../examples/pilot/', import.meta.url);
writeFileSync(new URL('pilot.json', folder), `${JSON.stringify(pilot, null, 2)}\n`);
writeFileSync(new URL('probes.csv', folder), `${lines.join('\n')}\n`);

const moments = 2000;
let difference = 0;
for (const page of pages) {
  for (let k = 0; k < moments; k++) {
    const time = start + ((k + 0.5) * days * day) / moments;
    difference += Number(isCurrent(page, time, page.plan)) - Number(isCurrent(page, time, page.inTurn));
  }
}
console.log(`the plan gains ${(difference / pages.length / moments).toFixed(4)}`);
