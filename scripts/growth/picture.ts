/** The picture of growth: for every operation its time against sizes, both on logarithmic axes that all panels share. */

/** Processor time in milliseconds, and the most memory in MiB, of a request of a size. */
export interface Measured {
  readonly size: number;
  readonly ms: number;
  readonly mib: number;
}

/** An operation, and what grows in it. */
export interface Panel {
  readonly operation: string;
  readonly lines: readonly { readonly counted: string; readonly points: readonly Measured[] }[];
}

const colours = ['#1f6feb', '#b35900'] as const;
const columns = 4;
const [width, height] = [240, 150];
const margin = { left: 42, right: 12, top: 24, bottom: 22 } as const;
const sizes = [0, 6] as const;
const times = [-4, 1.5] as const;

const scaled = (value: number, [low, high]: readonly [number, number], from: number, to: number): number =>
  Number((from + ((Math.log10(value) - low) / (high - low)) * (to - from)).toFixed(1));
const x = (size: number): number => scaled(size, sizes, margin.left, width - margin.right);
const y = (ms: number): number =>
  Math.min(height - margin.bottom, scaled(ms / 1000, times, height - margin.bottom, margin.top));

const sizeMarks = [
  [1, '1'],
  [1e3, '10³'],
  [1e6, '10⁶'],
] as const;
const grid = [
  ...sizeMarks.map(
    ([size, name]) =>
      `<line x1="${x(size)}" x2="${x(size)}" y1="${margin.top}" y2="${height - margin.bottom}" stroke="#ddd"/><text x="${x(size)}" y="${height - 8}" text-anchor="middle">${name}</text>`,
  ),
  ...(
    [
      [1, '1 ms'],
      [1000, '1 s'],
    ] as const
  ).map(
    ([ms, name]) =>
      `<line x1="${margin.left}" x2="${width - margin.right}" y1="${y(ms)}" y2="${y(ms)}" stroke="#ddd"/><text x="${margin.left - 4}" y="${y(ms) + 4}" text-anchor="end">${name}</text>`,
  ),
].join('');

/** An SVG image. */
export function growthPicture(panels: readonly Panel[]): string {
  const drawn = panels.map(({ operation, lines }, k) => {
    const at = `translate(${(k % columns) * width} ${Math.floor(k / columns) * height})`;
    const paths = lines.map(({ counted, points }, j) => {
      const path = points.map(({ size, ms }) => `${x(size)},${y(ms)}`).join(' ');
      const name = `<text x="${margin.left + 6}" y="${margin.top + 12 + 12 * j}" fill="${colours[j]}">${counted}</text>`;
      return `<polyline points="${path}" fill="none" stroke="${colours[j]}" stroke-width="2"/>${name}`;
    });
    return `<g transform="${at}"><text x="${margin.left}" y="14" font-weight="bold">${operation}</text>${grid}${paths.join('')}</g>`;
  });
  const size = `${columns * width} ${Math.ceil(panels.length / columns) * height}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" font-family="system-ui, sans-serif" font-size="10">`,
    '<title>Processor time of every operation against the size of its request, over three decades each</title>',
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...drawn,
    '</svg>\n',
  ].join('\n');
}
