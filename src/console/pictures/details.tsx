/** Details of the selected page or task, and of its fetches. */

import { explainPage } from '../../schemas/words/explain-page.ts';
import { figure } from '../../schemas/words/numbers.ts';
import type { Exchange } from '../api/answer.ts';
import { columnValues, numberAt, numericColumn, rowCount, textAt, valueAt } from '../api/read.ts';
import { dateTime } from '../words/dates.ts';
import type { Events } from './lanes/events.ts';
import type { ResultTable } from './table/result-table.ts';

interface DetailsProps {
  readonly table: ResultTable;
  readonly events: Events | undefined;
  readonly row: number;
  readonly event: number;
  /** Why the page is fetched when it is; empty without an explanation. */
  readonly explanation: string;
  readonly onClose: () => void;
}

const maxFetches = 8;

const timeText = (events: Events, event: number): string =>
  events.clock === 'epoch' ? dateTime(events.time[event]) : figure(events.time[event]);

const fetchesOf = (events: Events, row: number): number[] =>
  Array.from(events.row.keys()).filter((event) => events.row[event] === row);

export function FetchDetails({ table, events, row, event, explanation, onClose }: DetailsProps) {
  const fetches = events ? fetchesOf(events, row) : [];
  const firstFetches = fetches.slice(0, maxFetches);
  const name = table.names(row);
  const host = table.hosts(row);
  return (
    <section class="details" aria-label="Details" aria-live="polite">
      <h3>
        {name}
        <button type="button" class="quiet" aria-label="close the details" onClick={onClose}>
          ×
        </button>
      </h3>
      {explanation === '' ? null : <p data-why>{explanation}</p>}
      <dl>
        {events && event >= 0 ? (
          <div>
            <dt>this fetch</dt>
            <dd>
              {timeText(events, event)}
              {events.clock === 'epoch' ? ` (${new Date(events.time[event] * 1000).toISOString()})` : ''} by{' '}
              {events.crawlers[events.crawler[event]] ?? 'a crawler'}
            </dd>
          </div>
        ) : null}
        {host !== '' && host !== name ? (
          <div>
            <dt>host</dt>
            <dd>{host}</dd>
          </div>
        ) : null}
        {table.columns.map((column) => (
          <div key={column.name}>
            <dt>
              {column.label}
              {column.unit === '' ? '' : `, ${column.unit}`}
            </dt>
            <dd>{column.text(row) + (column.note?.(row) ?? '')}</dd>
          </div>
        ))}
        {events && fetches.length > 0 ? (
          <div>
            <dt>{fetches.length === 1 ? 'its fetch' : `its ${figure(fetches.length)} fetches`}</dt>
            <dd>
              {firstFetches.map((each) => timeText(events, each)).join(' · ')}
              {fetches.length > firstFetches.length ? ' · …' : ''}
            </dd>
          </div>
        ) : null}
      </dl>
    </section>
  );
}

/** A row of a list, whether it came as rows or as columns. */
const rowOf = (table: unknown, row: number): unknown =>
  Array.isArray(table)
    ? table[row]
    : Object.fromEntries(Object.keys(Object(table)).map((name) => [name, columnValues(table, name)[row]]));

/** The explanation of a row; empty where the answer has no long-run plan. */
export function explainFetch({ request, answer }: Exchange, row: number): string {
  const [page, requestRow] = [rowOf(valueAt(answer.solution, 'pages'), row), rowOf(request.pages, row)];
  const [now, shadowPrice] = [numberAt(request, 'now'), numberAt(answer.solution, 'shadowPrice')];
  if (![now, shadowPrice, numberAt(page, 'crawls')].every(Number.isFinite)) return '';
  const finiteOrNull = (name: string, ...path: number[]): number | null => {
    const value = numberAt(page, name, ...path);
    return Number.isFinite(value) ? value : null;
  };
  const requestNumber = (name: string): number | undefined =>
    [numberAt(requestRow, name), numberAt(request, name)].find(Number.isFinite);
  return explainPage(
    {
      changeRate: numberAt(page, 'changeRate'),
      changeRateInterval: [numberAt(page, 'changeRateInterval', 0), finiteOrNull('changeRateInterval', 1)],
      crawls: numberAt(page, 'crawls'),
      fetchInterval: finiteOrNull('fetchInterval'),
      intervalIfUnchanged: finiteOrNull('intervalIfUnchanged'),
      intervalIfChanged: finiteOrNull('intervalIfChanged'),
      nextFetch: finiteOrNull('nextFetch'),
      staleness: numberAt(page, 'staleness'),
    },
    {
      now,
      interval: numberAt(request, 'interval'),
      shadowPrice,
      objective: textAt(request, 'objective') || undefined,
      weight: requestNumber('weight'),
      minInterval: requestNumber('minInterval'),
      maxInterval: requestNumber('maxInterval'),
      evenShare: requestNumber('evenShare'),
    },
  );
}

/** Stale shares of a plan and of all pages in turn, and the plan's long-run gap; undefined for other answers. */
export function staleShares({ request, answer }: Exchange) {
  const [value, inTurn] = [numberAt(answer, 'objective', 'value'), numberAt(answer, 'baselines', 'uniform')];
  const { pages } = request;
  const isStaleness = answer.objective?.measure === 'staleness';
  if (!isStaleness || !Number.isFinite(inTurn) || !Number.isFinite(numberAt(request, 'now'))) return undefined;
  const weightColumn = numericColumn(pages, 'weight', 1);
  const weights = weightColumn.length > 0 ? weightColumn : new Float64Array(rowCount(pages)).fill(1);
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);
  const gap = numberAt(answer, 'longRun', 'gap');
  return totalWeight > 0
    ? { stale: value / totalWeight, inTurn: inTurn / totalWeight, gap: Number.isFinite(gap) ? gap : undefined }
    : undefined;
}
