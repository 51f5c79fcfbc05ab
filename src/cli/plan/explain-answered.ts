/** An answer of crawl-plan in rows, and a page of it → why it is fetched when it is. */

import { isRecord } from '../../schemas/table/table-reading.ts';
import { type ExplainedPage, explainPage } from '../../words/explain-page.ts';

/** What is read of the solution. */
export interface AnsweredPages {
  readonly pages: readonly ExplainedPage[];
  readonly shadowPrice: number;
}

const numberIn = (record: Readonly<Record<string, unknown>>, name: string): number | undefined => {
  const value = record[name];
  return typeof value === 'number' ? value : undefined;
};

/** The explanation of the page at a position; `request` in rows. */
export function explainAnswered({ pages, shadowPrice }: AnsweredPages, i: number, request: unknown): string {
  const whole = isRecord(request) ? request : {};
  const rows = Array.isArray(whole.pages) ? whole.pages : [];
  const row = isRecord(rows[i]) ? rows[i] : {};
  return explainPage(pages[i], {
    now: numberIn(whole, 'now') ?? 0,
    interval: numberIn(whole, 'interval') ?? Number.NaN,
    shadowPrice,
    objective: typeof whole.objective === 'string' ? whole.objective : undefined,
    weight: numberIn(row, 'weight'),
    minInterval: numberIn(row, 'minInterval') ?? numberIn(whole, 'minInterval'),
    maxInterval: numberIn(row, 'maxInterval') ?? numberIn(whole, 'maxInterval'),
    evenShare: numberIn(whole, 'evenShare'),
  });
}
