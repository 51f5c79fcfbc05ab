/** The schedule in lanes above the table of pages; lanes and table share one selection. */
import { useMemo, useState } from 'preact/hooks';
import { figure } from '../../schemas/words/numbers.ts';
import type { Exchange } from '../api/answer.ts';
import type { Question } from '../contract/catalogue.ts';
import { explainFetch, FetchDetails } from './details.tsx';
import { scheduleCsv, tableCsv } from './exports.ts';
import { saveFile } from './frame/save-file.ts';
import { type Events, eventsOf } from './lanes/events.ts';
import { LanesView } from './lanes/lanes-view.tsx';
import { orderedRows, type ResultTable, resultTable, type Sorting } from './table/result-table.ts';
import { TableView } from './table/table-view.tsx';

interface Choice {
  readonly row: number;
  /** The fetch selected in the lanes; −1 if a row of the table is selected. */
  readonly event: number;
}

const noChoice: Choice = { row: -1, event: -1 };

interface TakeAwayProps {
  readonly name: string;
  readonly table: ResultTable;
  readonly rows: Int32Array;
  readonly events: Events | undefined;
  readonly exchange: Exchange;
}

function TakeAway({ name, table, rows, events, exchange }: TakeAwayProps) {
  // The CSV is made at the click: a hundred thousand lines take long.
  const file = (kind: string, text: () => string | undefined, type: string, ending: string) => (
    <button type="button" class="quiet" onClick={() => saveFile(`${name}${ending}`, text() ?? '', type)}>
      {kind}
    </button>
  );
  return (
    <span class="take-away">
      Save as
      {file('CSV', () => tableCsv(table, rows), 'text/csv;charset=utf-8', `-${table.subject}.csv`)}
      {events
        ? file('schedule CSV', () => scheduleCsv(table, events), 'text/csv;charset=utf-8', '-schedule.csv')
        : null}
      {file('JSON', () => JSON.stringify(exchange.answer, null, 2), 'application/json', '.answer.json')}
    </span>
  );
}

interface PlanViewProps {
  readonly question: Question;
  readonly exchange: Exchange;
}

export function PlanView({ question, exchange }: PlanViewProps) {
  const name = question.name.replace('/', '-');
  const table = useMemo(() => resultTable(question, exchange), [question, exchange]);
  const events = useMemo(() => (table ? eventsOf(exchange) : undefined), [exchange, table]);
  const [filter, setFilter] = useState('');
  const [sorting, setSorting] = useState<Sorting>();
  const [choice, setChoice] = useState(noChoice);
  const rows = useMemo(() => (table ? orderedRows(table, filter, sorting) : undefined), [table, filter, sorting]);
  if (table === undefined || rows === undefined || (table.columns.length === 0 && events === undefined)) return null;
  const validChoice = choice.row < table.length ? choice : noChoice;
  return (
    <section class="plan" aria-label="The plan">
      {events && events.time.length > 0 ? (
        <LanesView
          table={table}
          events={events}
          rows={rows}
          selectedRow={validChoice.row}
          onSelect={(row, event) => setChoice({ row, event })}
        />
      ) : null}
      {validChoice.row >= 0 ? (
        <FetchDetails
          table={table}
          events={events}
          row={validChoice.row}
          event={validChoice.event}
          explanation={explainFetch(exchange, validChoice.row)}
          onClose={() => setChoice(noChoice)}
        />
      ) : null}
      <div class="result-table wide" data-plan="table">
        <div class="tools">
          <label>
            Filter{' '}
            <input type="search" value={filter} onInput={({ currentTarget }) => setFilter(currentTarget.value)} />
          </label>
          <span role="status">
            {rows.length === table.length
              ? `${figure(table.length)} ${table.length === 1 ? table.subject.replace(/s$/, '') : table.subject}`
              : `${figure(rows.length)} of ${figure(table.length)} ${table.subject}`}
          </span>
          <TakeAway name={name} table={table} rows={rows} events={events} exchange={exchange} />
        </div>
        <TableView
          table={table}
          rows={rows}
          sorting={sorting}
          onSort={setSorting}
          selectedRow={validChoice.row}
          onSelect={(row) => setChoice({ row, event: -1 })}
        />
      </div>
    </section>
  );
}
