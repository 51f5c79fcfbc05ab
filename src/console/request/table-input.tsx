/** A list of pages or tasks as a table to edit, whether it comes as rows or as columns; long lists are paged. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Json } from '../api/json.ts';
import { rowCount, textAt } from '../api/read.ts';
import type { Property } from '../contract/schema.ts';
import { Choice, Pager } from '../words/choice.tsx';
import { CellEditor, CellInput } from './cell-input.tsx';
import { sampleOf } from './field-kind.ts';
import { type Path, pointerOf, type Remarks, remarksBelow } from './pointer.ts';
import {
  cellOf,
  cellPath,
  identityOf,
  isColumns,
  usedColumns,
  withCell,
  withColumn,
  withNewRow,
  withoutColumn,
  withoutRow,
} from './table-model.ts';

const pageSize = 8;

/** The cell that is open in the dialog. */
interface OpenCell {
  readonly column: Property;
  readonly path: Path;
  readonly value: Json | undefined;
  readonly onChange: (cell: Json | undefined) => void;
}

interface TableInputProps {
  readonly input: string;
  readonly descriptionId: string;
  readonly columns: readonly Property[];
  readonly value: Json | undefined;
  readonly remarks: Remarks;
  readonly path: Path;
  readonly onChange: (path: Path, value: Json | undefined) => void;
  /** Renders the fields of an object or a list in a cell. */
  readonly editor: (cell: OpenCell) => ComponentChildren;
}

export function TableInput(props: TableInputProps) {
  const { input, descriptionId, columns, value, remarks, path, onChange, editor } = props;
  const [page, setPage] = useState(0);
  const [open, setOpen] = useState<{ row: number; name: string }>();
  const length = rowCount(value);
  const last = Math.max(0, Math.ceil(length / pageSize) - 1);
  const first = Math.min(page, last) * pageSize;
  const positions = Array.from({ length: Math.min(pageSize, length - first) }, (_, i) => first + i);
  const shownColumns = usedColumns(value, columns);
  const unusedColumns = columns.filter((column) => !shownColumns.includes(column));
  const set = (next: Json): void => onChange(path, next);
  const edit = (row: number, name: string, cell: Json | undefined): void => set(withCell(value, row, name, cell));
  const openColumn = open && columns.find(({ name }) => name === open.name);
  return (
    <div class="table-input">
      {/* Hidden without rows: a scroll area needs something that can take the focus. */}
      <div class="scroll" hidden={length === 0}>
        <table id={input} aria-describedby={descriptionId}>
          <thead>
            <tr>
              <th scope="col">#</th>
              {shownColumns.map(({ name, schema, required }) => (
                <th key={name} scope="col" title={textAt(schema, 'description') || name}>
                  {name}
                  {required ? null : (
                    <button
                      type="button"
                      class="quiet"
                      aria-label={`remove the column ${name}`}
                      onClick={() => set(withoutColumn(value, name))}
                    >
                      ×
                    </button>
                  )}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {positions.map((row) => (
              <tr key={row}>
                <th scope="row">{row}</th>
                {shownColumns.map((column) => {
                  const pointer = pointerOf([...path, ...cellPath(value, row, column.name)]);
                  return (
                    <td key={column.name}>
                      <CellInput
                        label={`${column.name} of row ${row}`}
                        pointer={pointer}
                        column={column}
                        cell={cellOf(value, row, column.name)}
                        bad={remarksBelow(remarks, pointer).some(({ level }) => level === 'error')}
                        onChange={(cell) => edit(row, column.name, cell)}
                        onOpen={() => setOpen({ row, name: column.name })}
                      />
                    </td>
                  );
                })}
                <td>
                  <button
                    type="button"
                    class="quiet"
                    aria-label={`remove row ${row}`}
                    onClick={() => set(withoutRow(value, row))}
                  >
                    ×
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="table-foot">
        <span>
          {length.toLocaleString('en')} {length === 1 ? 'row' : 'rows'}
          {isColumns(value) ? ', as columns' : ''}
        </span>
        <Pager page={Math.min(page, last)} length={length} pageSize={pageSize} onPage={setPage} />
        {unusedColumns.length > 0 && length > 0 ? (
          <Choice
            aria-label="add a column"
            data-add-column
            options={[['', '+ add a column'], ...unusedColumns.map(({ name }) => name)]}
            value=""
            onChoose={(name) => {
              const column = unusedColumns.find((each) => each.name === name);
              if (column) set(withColumn(value, name, () => sampleOf(column.schema)));
            }}
          />
        ) : null}
        <button
          type="button"
          class="quiet"
          onClick={() => {
            set(withNewRow(value, columns, identityOf(columns)));
            setPage(Math.floor(length / pageSize));
          }}
        >
          + add a row
        </button>
      </div>
      {open && openColumn ? (
        <CellEditor title={`${openColumn.name} of row ${open.row}`} onClose={() => setOpen(undefined)}>
          {editor({
            column: openColumn,
            path: [...path, ...cellPath(value, open.row, openColumn.name)],
            value: cellOf(value, open.row, openColumn.name),
            onChange: (cell) => edit(open.row, openColumn.name, cell),
          })}
        </CellEditor>
      ) : null}
    </div>
  );
}
