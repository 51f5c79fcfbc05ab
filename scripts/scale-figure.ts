/** Writes docs/pictures/scale.svg from the figures of docs/how-to/large-tables.md, which runs of `node scripts/scale.ts` printed. */
import { writeFileSync } from 'node:fs';

/** Pages, and seconds of processor time to price them with the certificate and to write their plan. */
const runs = [
  [1e6, 1.2, 0.7],
  [1e7, 5.1, 6.5],
  [1e8, 32.5, 58.6],
] as const;
const series = [
  { name: 'price with certificate', colour: '#1f6feb', at: 1 },
  { name: 'write the plan', colour: '#b35900', at: 2 },
] as const;

const [width, height, left, right, top, bottom] = [640, 360, 60, 170, 20, 45];
const decades = { x: [5.8, 8.2], y: [-0.5, 2.1] } as const;
const scaled = (value: number, [low, high]: readonly [number, number], from: number, to: number): string =>
  (from + ((Math.log10(value) - low) / (high - low)) * (to - from)).toFixed(1);
const x = (pages: number): string => scaled(pages, decades.x, left, width - right);
const y = (seconds: number): string => scaled(seconds, decades.y, height - bottom, top);

const lines = series.map(({ name, colour, at }) => {
  const points = runs.map((run) => `${x(run[0])},${y(run[at])}`);
  const dots = points.map((point) => {
    const [cx, cy] = point.split(',');
    return `<circle cx="${cx}" cy="${cy}" r="4" fill="${colour}"/>`;
  });
  const last = runs[runs.length - 1];
  const label = `<text x="${Number(x(last[0])) + 10}" y="${Number(y(last[at])) + 4}" fill="${colour}">${name}</text>`;
  return `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}${label}`;
});
const grid = [
  ...[1e6, 1e7, 1e8].map(
    (pages) =>
      `<line x1="${x(pages)}" x2="${x(pages)}" y1="${top}" y2="${height - bottom}" stroke="#ddd"/><text x="${x(pages)}" y="${height - bottom + 18}" text-anchor="middle">${pages.toLocaleString('en')}</text>`,
  ),
  ...[1, 10, 100].map(
    (seconds) =>
      `<line x1="${left}" x2="${width - right}" y1="${y(seconds)}" y2="${y(seconds)}" stroke="#ddd"/><text x="${left - 8}" y="${Number(y(seconds)) + 4}" text-anchor="end">${seconds} s</text>`,
  ),
];
const svg = [
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">`,
  '<title>Processor time against pages, both on logarithmic axes: both lines rise as the pages do</title>',
  `<rect width="${width}" height="${height}" fill="#fff"/>`,
  ...grid,
  ...lines,
  `<text x="${(left + width - right) / 2}" y="${height - 6}" text-anchor="middle">pages</text>`,
  '</svg>',
];
writeFileSync(new URL('../docs/pictures/scale.svg', import.meta.url), `${svg.join('\n')}\n`);
