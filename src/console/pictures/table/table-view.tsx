/** The table of an answer: any number of rows, of which only those in sight are in the document. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { figure } from '../../../words/numbers.ts';
import type { ResultTable, Sorting } from './result-table.ts';

const rowHeight = 28;
const rowsBeyond = 8;
const mostInSight = 12;
/** So many characters at the end of a name are shown however narrow its column is. */
const shownEnd = 12;
/** Browsers end at about 33 million pixels; more rows than that are left to the filter. */
const mostPixels = 24_000_000;

interface TableViewProps {
  readonly table: ResultTable;
  readonly rows: Int32Array;
  readonly sorting: Sorting | undefined;
  readonly onSort: (sorting: Sorting) => void;
  readonly selected: number;
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

/** A name that gives way in the middle where there is little room: URLs differ by their ends. */
function RowName({ name }: { name: string }) {
  const scheme = /^https?:\/\//.exec(name)?.[0].length ?? 0;
  const from = Math.max(scheme, name.length - shownEnd);
  return (
    <>
      <span class="scheme">{name.slice(0, scheme)}</span>
      <span class="beginning">{name.slice(scheme, from)}</span>
      <span>{name.slice(from)}</span>
    </>
  );
}

export function TableView({ table, rows, sorting, onSort, selected, onSelect }: TableViewProps) {
  const frame = useRef<HTMLElement>(null);
  const [first, setFirst] = useState(0);
  const shownRows = Math.min(rows.length, Math.floor(mostPixels / rowHeight));
  const count = Math.min(shownRows - first, mostInSight + 2 * rowsBeyond);
  const follow = (): void => {
    const top = frame.current?.scrollTop ?? 0;
    const next = Math.max(0, Math.min(shownRows - 1, Math.floor(top / rowHeight)) - rowsBeyond);
    // An even step keeps the stripes of the rows where they are.
    setFirst(next - (next % 2));
  };
  useEffect(() => {
    frame.current?.scrollTo({ top: 0 });
    setFirst(0);
  }, [rows]);
  useLayoutEffect(() => {
    const element = frame.current;
    const at = rows.indexOf(selected);
    if (element === null || selected < 0 || at < 0) return;
    const top = at * rowHeight;
    const inSight = top >= element.scrollTop && top + 2 * rowHeight <= element.scrollTop + element.clientHeight;
    if (!inSight) element.scrollTo({ top: Math.max(0, top - 3 * rowHeight) });
  }, [selected, rows]);
  const inSight = Array.from({ length: Math.max(0, count) }, (_, i) => first + i);
  const gap = (height: number) => (
    <tr class="gap">
      <td colSpan={table.columns.length + 1} height={height} />
    </tr>
  );
  return (
    <section class="result-rows" ref={frame} onScroll={follow} aria-label={`Table of ${table.subject}`}>
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
          {first > 0 ? gap(first * rowHeight) : null}
          {inSight.map((position) => {
            const row = rows[position];
            return (
              <tr
                key={position}
                aria-rowindex={position + 2}
                aria-selected={row === selected}
                data-row={row}
                onClick={() => onSelect(row)}
              >
                <th scope="row" title={table.names(row)}>
                  <button type="button" class="row-name" onClick={() => onSelect(row)}>
                    <RowName name={table.names(row)} />
                  </button>
                </th>
                {table.columns.map((column) => (
                  <td key={column.name}>
                    {column.text(row)}
                    {column.aside ? <span class="aside">{column.aside(row)}</span> : null}
                  </td>
                ))}
              </tr>
            );
          })}
          {first + count < shownRows ? gap((shownRows - first - count) * rowHeight) : null}
        </tbody>
      </table>
      {shownRows < rows.length ? (
        <p class="about">{figure(rows.length - shownRows)} more rows: the filter or the CSV has them.</p>
      ) : null}
    </section>
  );
}
