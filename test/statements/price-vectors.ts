/** Holds a database with the functions of src/statements/price-functions.ts to the golden vectors. */
import type { ExpectStatic } from 'vitest';

/** A database: an expression over rows whose columns are named and written as literals of their types. */
export interface AskedDatabase {
  list(values: readonly number[]): string;
  ask(expression: string, columns: readonly string[], rows: readonly (readonly string[])[]): Promise<unknown[]>;
}

interface Due {
  readonly objective: string;
  readonly rate: number;
  readonly weight: number;
  readonly price: number;
  readonly age: number | null;
}
interface Vectors {
  readonly known: readonly Due[];
  readonly beliefs: readonly {
    readonly prior: { readonly meanRate: number; readonly memoryUnit: number };
    readonly checks: readonly { elapsed: number; changed: boolean; changeAge?: number }[];
    readonly belief: { readonly shape: number[]; readonly scale: number[]; readonly foretold: number[] };
    readonly meanRate: number;
    readonly due: readonly Due[];
  }[];
  readonly prices: readonly {
    price: number;
    seen: number;
    wanted: number;
    pages: number;
    ahead: number;
    next: number;
  }[];
}

const double = (value: number): string => `${value}::float8`;
const quoted = (text: string): string => `'${text}'`;

export async function checkPriceFunctions(
  { list, ask }: AskedDatabase,
  fixture: string,
  expect: ExpectStatic,
): Promise<void> {
  const { known, beliefs, prices }: Vectors = JSON.parse(fixture);
  const compare = (found: readonly unknown[], given: readonly (number | null)[], tolerance: number): void => {
    expect(found.length).toBe(given.length);
    for (const [at, value] of given.entries()) {
      if (value === null || found[at] === null) expect(found[at], `row ${at}`).toBe(value);
      else
        expect(Math.abs(Number(found[at]) - value) / value, `row ${at}: ${found[at]} for ${value}`).toBeLessThan(
          tolerance,
        );
    }
  };
  const knownRows = known.map(({ rate, weight, price, objective }) => [
    double(rate),
    double(weight),
    double(price),
    quoted(objective),
  ]);
  const names = ['weight', 'price', 'objective'];
  compare(
    await ask('crawl_due_age_known(rate, weight, price, objective)', ['rate', ...names], knownRows),
    known.map(({ age }) => age),
    1e-10,
  );
  const priceRows = prices.map(({ price, seen, wanted, pages, ahead }) =>
    [price, seen, wanted, pages, ahead].map(double),
  );
  const feedback = ['price', 'seen', 'wanted', 'pages', 'ahead'];
  compare(
    await ask(`crawl_next_price(${feedback.join(', ')})`, feedback, priceRows),
    prices.map(({ next }) => next),
    1e-12,
  );
  const due = beliefs.flatMap(({ belief, due: dues }) =>
    dues
      .filter((_, at) => at % 3 === 0)
      .map((each) => ({ ...each, belief: list([...belief.shape, ...belief.scale, ...belief.foretold]) })),
  );
  const dueRows = due.map(({ belief, weight, price, objective }) => [
    belief,
    double(weight),
    double(price),
    quoted(objective),
  ]);
  compare(
    await ask('crawl_due_age(belief, weight, price, objective)', ['belief', ...names], dueRows),
    due.map(({ age }) => age),
    1e-8,
  );
  // one check after the other of all pages, those that have no more left out
  const state = beliefs.map(({ prior }) =>
    list(Array.from({ length: 12 }, (_, k) => (k < 4 ? 0.5 : k < 8 ? 0.5 / prior.meanRate : 0))),
  );
  const checkColumns = ['belief', 'elapsed', 'changed', 'change_age', 'mean_rate', 'memory_unit'];
  for (let n = 0; n < 30; n++) {
    const going = beliefs.flatMap((page, at) =>
      n < page.checks.length ? [{ at, prior: page.prior, ...page.checks[n] }] : [],
    );
    const rows = going.map(({ at, prior, elapsed, changed, changeAge }) => [
      state[at],
      double(elapsed),
      String(changed),
      changeAge === undefined ? 'NULL::float8' : double(changeAge),
      double(prior.meanRate),
      double(prior.memoryUnit),
    ]);
    if (rows.length === 0) break;
    const after = await ask(`CAST(crawl_after_check(${checkColumns.join(', ')}) AS VARCHAR)`, checkColumns, rows);
    for (const [i, { at }] of going.entries()) {
      state[at] = list(
        String(after[i])
          .replace(/[[\]{}]/g, '')
          .split(',')
          .map(Number),
      );
    }
  }
  compare(
    await ask(
      'crawl_believed_rate(belief)',
      ['belief'],
      state.map((each) => [each]),
    ),
    beliefs.map(({ meanRate }) => meanRate),
    1e-8,
  );
}
