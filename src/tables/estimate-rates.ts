/** `tables rates`: a look at the log, then one row a page, written when it is whole. */
import { type LogTable, previewStatement } from '../statements/index.ts';
import { type Engine, numberOf, TablesError } from './engine.ts';

/** What a log holds, before anything long is begun. */
export interface LogPreview {
  readonly fetches: number;
  readonly pages: number;
  readonly failed: number;
  /** Of the first and the last fetch, ISO 8601. */
  readonly from: string;
  readonly to: string;
}

/** Times outside of these are not epoch seconds of a crawl: the format is another. */
const earliest = Date.UTC(1990) / 1000;
const latest = Date.UTC(2100) / 1000;

/** @throws TablesError where a column is missing, the log is empty, or its times cannot be meant */
export async function previewLog(engine: Engine, log: LogTable): Promise<LogPreview> {
  const columns = await engine.columns();
  for (const wanted of [log.page, log.time, log.changed, log.signature, log.status]) {
    if (wanted === undefined || columns.some(({ name }) => name === wanted)) continue;
    const names = columns.map(({ name }) => name).join(', ');
    throw new TablesError(`there is no column ${JSON.stringify(wanted)}; there are ${names}`);
  }
  const [row] = await engine.rows(previewStatement(engine.dialect, log));
  const [fetches, pages, failed, incomplete] = ['fetches', 'pages', 'failed', 'incomplete'].map((name) =>
    numberOf(row[name]),
  );
  if (fetches === 0) throw new TablesError('the log has no fetches');
  if (incomplete > 0) {
    throw new TablesError(`${incomplete} of ${fetches} fetches have no page or no time; nothing is written`);
  }
  const [first, last] = [numberOf(row.first_time), numberOf(row.last_time)];
  if (!(first >= earliest && last <= latest)) {
    throw new TablesError(
      `read as ${log.timeFormat}, the times go from ${first} to ${last} epoch seconds, which lie outside of 1990 to 2100: --time-format is another`,
    );
  }
  const iso = (seconds: number): string => new Date(1000 * seconds).toISOString();
  return { fetches, pages, failed, from: iso(first), to: iso(last) };
}
