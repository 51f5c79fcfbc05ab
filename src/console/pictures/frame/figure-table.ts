/**
 * What a figure shows, as a table: its text alternative. It reads the marks that Observable Plot was given, after Plot
 * has worked out their channels. So every figure has a table without a line of its own.
 */
const get = (value: unknown, name: string): unknown =>
  (typeof value === 'object' && value !== null) || typeof value === 'function' ? Reflect.get(value, name) : undefined;

interface FigureTable {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  /** Rows there are; more than are listed where there are very many. */
  readonly length: number;
}

const mostRows = 300;
/** Marks that only say again, in words or as a frame, what another mark shows. */
const repeating = ['text', 'tip', 'grid', 'axis', 'frame'];
const coordinates = ['x', 'x1', 'x2', 'y', 'y1', 'y2', 'fx'] as const;

interface Labels {
  readonly x?: string | undefined;
  readonly y?: string | undefined;
}

/** The channels of a mark with their values, by name; empty for what is no mark with data. */
function channelsOf(mark: unknown): Map<string, ArrayLike<unknown>> {
  const found = new Map<string, ArrayLike<unknown>>();
  const initialize = get(mark, 'initialize');
  if (typeof initialize !== 'function' || get(mark, 'data') === null || get(mark, 'data') === undefined) return found;
  const state: unknown = Reflect.apply(initialize, mark, []);
  const channels = get(state, 'channels');
  for (const [name, channel] of Object.entries(Object(channels))) {
    const values = get(channel, 'value');
    const isList = Array.isArray(values) || ArrayBuffer.isView(values);
    if (isList && typeof get(values, 'length') === 'number') found.set(name, Object(values));
  }
  return found;
}

function cell(value: unknown): string | number {
  if (typeof value === 'number') return Number(value.toPrecision(6));
  return typeof value === 'string' ? value.replaceAll('\n', '; ') : '';
}

const headOf = (name: string, { x = 'x', y = 'y' }: Labels): string => {
  const base = name.startsWith('y') ? y : name === 'fx' ? 'measure' : x;
  const end = name.endsWith('1') ? ', from' : name.endsWith('2') ? ', to' : '';
  return `${base}${end}`;
};

/** The table of the marks of one figure: those with the most to say, each row once. */
export function figureTable(marks: readonly unknown[], labels: Labels): FigureTable {
  const heads: string[] = [];
  const lines = new Map<string, Map<string, string | number>>();
  for (const mark of marks.flat(3)) {
    const label = get(mark, 'ariaLabel');
    if (typeof label === 'string' && repeating.some((each) => label.includes(each))) continue;
    const channels = channelsOf(mark);
    const shown = coordinates.filter((name) => channels.has(name));
    const length = Math.max(0, ...shown.map((name) => channels.get(name)?.length ?? 0));
    if (shown.length < 2) continue;
    for (let i = 0; i < length; i++) {
      const line = new Map<string, string | number>();
      for (const name of shown) line.set(headOf(name, labels), cell(channels.get(name)?.[i]));
      const title = channels.get('title')?.[i];
      if (typeof title === 'string') line.set('what', cell(title));
      const key = [...line].filter(([head]) => head !== 'what').join('|');
      if (lines.has(key) && !line.has('what')) continue;
      for (const head of line.keys()) if (!heads.includes(head)) heads.push(head);
      lines.set(key, line);
    }
  }
  const rows = [...lines.values()].slice(0, mostRows).map((line) => heads.map((head) => line.get(head) ?? ''));
  return { heads, rows, length: lines.size };
}

const tables = new WeakMap<Element, () => FigureTable>();

/** Remembers how to make the table of a figure that was drawn; it is made when somebody asks for it. */
export const rememberTable = (figure: Element, make: () => FigureTable): void => {
  tables.set(figure, make);
};

/** The table of a figure; undefined for one that remembered none. */
export const tableOf = (figure: Element | null | undefined): FigureTable | undefined =>
  figure ? tables.get(figure)?.() : undefined;
