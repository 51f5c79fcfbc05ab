/**
 * Figure 10 of Wolf et al. (2002) at its full size: ten crawlers with a million slots each. Prints how far crawls are
 * from their ideal slots, and what it took; writes docs/pictures/figure-10.svg.
 *
 *     npx node scripts/figure-10.ts [slots of a crawler]
 */
import { writeFileSync } from 'node:fs';
import { unlimitedBudget } from '../src/solvers/budget.ts';
import { assignSlots, releaseTask } from '../src/solvers/slot-assignment/index.ts';
import { day, figure10 } from '../test/papers/wolf-figure-10.ts';

const slots = Number(process.argv[2] ?? 1_000_000);
const reach = 20;

const instance = figure10(slots);
const before = process.cpuUsage();
const answer = assignSlots(instance, unlimitedBudget());
if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
const { user, system } = process.cpuUsage(before);

/** Crawls by whole slots after their ideal slot, −reach to reach; those farther away by kind. */
const counts = { flexible: new Float64Array(2 * reach + 1), release: new Float64Array(2 * reach + 1) };
let outside = 0;
let early = 0;
const { time } = answer.placement;
for (let j = 0; j < time.length; j++) {
  const late = ((time[j] - instance.idealTime[j]) * slots) / day;
  const release = instance.kind?.[j] === releaseTask;
  if (release && late < 0) early++;
  if (Math.abs(late) > reach) outside++;
  else counts[release ? 'release' : 'flexible'][Math.round(late) + reach]++;
}
const report = {
  crawls: time.length,
  withinReach: 1 - outside / time.length,
  releasesBeforeTheirTime: early,
  status: answer.status,
  processorSeconds: (user + system) / 1e6,
  residentMiB: Math.round(process.memoryUsage().rss / 2 ** 20),
};
console.log(JSON.stringify(report, null, 2));

const [width, height, left, right, top, bottom] = [640, 320, 70, 20, 40, 45];
const series = [
  { name: 'any time about the ideal one', colour: '#1f6feb', values: counts.flexible, offset: 0 },
  { name: 'after a possible update', colour: '#b35900', values: counts.release, offset: 0.45 },
] as const;
const largest = Math.max(...series.flatMap(({ values }) => [...values]));
const decades = Math.ceil(Math.log10(largest));
const x = (slotsLate: number): number => left + ((slotsLate + reach) / (2 * reach + 1)) * (width - left - right);
const y = (count: number): number => height - bottom - (Math.log10(count) / decades) * (height - top - bottom);
const bars = series.flatMap(({ values, colour, offset }) =>
  Array.from(values, (count, k) => {
    if (count < 1) return '';
    const from = x(k - reach + offset).toFixed(1);
    const to = y(count);
    return `<rect x="${from}" y="${to.toFixed(1)}" width="5.5" height="${(height - bottom - to).toFixed(1)}" fill="${colour}"/>`;
  }),
);
const grid = Array.from({ length: decades + 1 }, (_, k) => {
  const at = y(10 ** k).toFixed(1);
  const line = `<line x1="${left}" x2="${width - right}" y1="${at}" y2="${at}" stroke="#ddd"/>`;
  return `${line}<text x="${left - 8}" y="${Number(at) + 4}" text-anchor="end">${(10 ** k).toLocaleString('en')}</text>`;
});
const ticks = [-20, -10, 0, 10, 20].map(
  (late) => `<text x="${x(late + 0.5).toFixed(1)}" y="${height - bottom + 18}" text-anchor="middle">${late}</text>`,
);
const keys = series.map(({ name, colour }, k) => `<text x="${left + 260 * k}" y="20" fill="${colour}">${name}</text>`);
const svg = [
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">`,
  '<title>Crawls by how many slots after their ideal slot they are made, on a logarithmic axis</title>',
  `<rect width="${width}" height="${height}" fill="#fff"/>`,
  ...grid,
  ...bars.filter((bar) => bar !== ''),
  ...ticks,
  ...keys,
  `<text x="${(left + width - right) / 2}" y="${height - 6}" text-anchor="middle">slots after the ideal one</text>`,
  '</svg>',
];
writeFileSync(new URL('../docs/pictures/figure-10.svg', import.meta.url), `${svg.join('\n')}\n`);
