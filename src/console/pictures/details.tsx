/** What is known of the page or task that was chosen, and of its fetches. */
import { figure } from '../../words/numbers.ts';
import { dateTime } from '../words/dates.ts';
import type { Events } from './lanes/events.ts';
import type { ResultTable } from './table/result-table.ts';

interface DetailsProps {
  readonly table: ResultTable;
  readonly events: Events | undefined;
  readonly row: number;
  readonly event: number;
  /** Why it is fetched when it is; empty where nothing says it. */
  readonly why: string;
  readonly onClose: () => void;
}

const mostFetches = 8;

const timeText = (events: Events, event: number): string =>
  events.clock === 'epoch' ? dateTime(events.time[event]) : figure(events.time[event]);

function fetchesOf(events: Events, row: number): number[] {
  const found: number[] = [];
  for (let event = 0; event < events.row.length; event++) if (events.row[event] === row) found.push(event);
  return found;
}

export function FetchDetails({ table, events, row, event, why, onClose }: DetailsProps) {
  const fetches = events ? fetchesOf(events, row) : [];
  const shown = fetches.slice(0, mostFetches);
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
      {why === '' ? null : <p data-why>{why}</p>}
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
            <dd>{column.text(row) + (column.aside?.(row) ?? '')}</dd>
          </div>
        ))}
        {events && fetches.length > 0 ? (
          <div>
            <dt>{fetches.length === 1 ? 'its fetch' : `its ${figure(fetches.length)} fetches`}</dt>
            <dd>
              {shown.map((each) => timeText(events, each)).join(' · ')}
              {fetches.length > shown.length ? ' · …' : ''}
            </dd>
          </div>
        ) : null}
      </dl>
    </section>
  );
}
