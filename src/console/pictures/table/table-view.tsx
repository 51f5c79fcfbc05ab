/** The table of an answer: its first thousand rows in the chosen order. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { figure } from '../../../schemas/words/numbers.ts';
import type { ResultTable, Sorting } from './result-table.ts';

/** Maximum number of rows drawn, for the browser's sake; sorting, the filter and the CSV cover all rows. */
const maxRows = 1000;

interface TableViewProps {
  readonly table: ResultTable;
  readonly rows: Int32Array;
  readonly sorting: Sorting | undefined;
  readonly onSort: (sorting: Sorting) => void;
  readonly selectedRow: number;
  readonly onSelect: (row: number) => void;
}

interface HeadingProps {
  readonly name: string;
  readonly label: string;
  readonly unit: string;
  readonly sorting: Sorting | undefined;
  readonly onSort: (sorting: Sorting) => void;
}

function Heading({ name, label, unit, sorting, onSort }: HeadingProps) {
  const own = sorting?.column === name ? sorting : undefined;
  const mark = own === undefined ? '' : own.descending ? ' ↓' : ' ↑';
  return (
    <th scope="col" aria-sort={own === undefined ? 'none' : own.descending ? 'descending' : 'ascending'}>
      <button
        type="button"
        class="sort"
        data-sort={name}
        onClick={() => onSort({ column: name, descending: own === undefined ? name !== 'id' : !own.descending })}
      >
        {label}
        {mark}
      </button>
      {unit === '' ? null : <span class="unit">{unit}</span>}
    </th>
  );
}

export function TableView({ table, rows, sorting, onSort, selectedRow, onSelect }: TableViewProps) {
  const frame = useRef<HTMLElement>(null);
  useLayoutEffect(() => frame.current?.scrollTo({ top: 0 }), [rows]);
  useLayoutEffect(() => {
    const { current: view } = frame;
    const row = view?.querySelector<HTMLElement>(`[data-row="${selectedRow}"]`);
    if (!view || !row) return;
    const offset = row.offsetTop - view.scrollTop;
    if (offset < row.offsetHeight || offset > view.clientHeight - row.offsetHeight) {
      view.scrollTo({ top: row.offsetTop - 3 * row.offsetHeight });
    }
  }, [selectedRow]);
  return (
    <section class="result-rows" ref={frame} aria-label={`Table of ${table.subject}`}>
      <table aria-rowcount={rows.length + 1} data-rows={rows.length}>
        <thead>
          <tr>
            <Heading name="id" label={table.subject.replace(/s$/, '')} unit="" sorting={sorting} onSort={onSort} />
            {table.columns.map(({ name, label, unit }) => (
              <Heading key={name} name={name} label={label} unit={unit} sorting={sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from(rows.subarray(0, maxRows), (row, position) => (
            <tr
              key={row}
              aria-rowindex={position + 2}
              aria-selected={row === selectedRow}
              data-row={row}
              onClick={() => onSelect(row)}
            >
              <th scope="row" title={table.names(row)}>
                <button type="button" class="row-name" onClick={() => onSelect(row)}>
                  <bdi>{table.names(row)}</bdi>
                </button>
              </th>
              {table.columns.map((column) => (
                <td key={column.name}>
                  {column.text(row)}
                  {column.note ? <span class="aside">{column.note(row)}</span> : null}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {maxRows < rows.length ? (
        <p class="about">{figure(rows.length - maxRows)} more rows: the filter or the CSV has them.</p>
      ) : null}
    </section>
  );
}
