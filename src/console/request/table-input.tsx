/** A list of pages or tasks as a table, whether it comes as rows or as columns; long lists are paged. */
import { useState } from 'preact/hooks';
import { isRecord, type Json, member } from '../api/json.ts';
import { type Remarks, remarksBelow } from './errors.ts';
import { fieldKind, type Property } from './field-kind.ts';
import { type Path, pointerOf } from './pointer.ts';

const pageSize = 8;

interface TableInputProps {
  readonly input: string;
  readonly described: string;
  readonly columns: readonly Property[];
  readonly value: Json | undefined;
  readonly remarks: Remarks;
  readonly path: Path;
  readonly sample: Json;
  readonly onChange: (path: Path, value: Json | undefined) => void;
}

const isList = (value: unknown): value is readonly Json[] => Array.isArray(value);

/** Columns whose cells are lists themselves (checks, allowed crawlers) are one array of arrays. */
const lengthOf = (value: Json | undefined): number => {
  if (isList(value)) return value.length;
  if (!isRecord(value)) return 0;
  return Math.max(0, ...Object.values(value).map((cells) => (isList(cells) ? cells.length : 0)));
};

const cellText = (cell: Json | undefined): string =>
  cell === undefined || cell === null ? '' : typeof cell === 'string' ? cell : JSON.stringify(cell);

function parsedCell(text: string, { schema }: Property): Json | undefined {
  if (text.trim() === '') return undefined;
  const kind = fieldKind(schema).kind;
  if (kind === 'text' || kind === 'choice') return text;
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

export function TableInput(props: TableInputProps) {
  const { input, described, columns, value, remarks, path, sample, onChange } = props;
  const [page, setPage] = useState(0);
  const length = lengthOf(value);
  const last = Math.max(0, Math.ceil(length / pageSize) - 1);
  const first = Math.min(page, last) * pageSize;
  const rowsForm = !isRecord(value);
  const positions = Array.from({ length: Math.min(pageSize, length - first) }, (_, i) => first + i);
  const cellPath = (row: number, name: string): Path => (rowsForm ? [...path, row, name] : [...path, name, row]);
  const cell = (row: number, name: string): Json | undefined => {
    if (isList(value)) return member(value[row], name);
    const cells = member(value, name);
    return isList(cells) ? cells[row] : cells;
  };
  const isShared = (name: string): boolean => isRecord(value) && value[name] !== undefined && !isList(value[name]);
  const used = columns.filter(
    ({ name, required }) => required || positions.some((row) => cell(row, name) !== undefined) || columns.length <= 4,
  );
  const unused = columns.filter((column) => !used.includes(column));
  const edit = (row: number, column: Property, text: string): void => {
    const next = parsedCell(text, column);
    if (isShared(column.name)) onChange([...path, column.name], next);
    else onChange(cellPath(row, column.name), next === undefined && !rowsForm ? null : next);
  };
  return (
    <div class="table-input">
      <div class="scroll">
        <table id={input} aria-describedby={described}>
          <thead>
            <tr>
              <th scope="col">#</th>
              {used.map(({ name, schema }) => (
                <th key={name} scope="col" title={typeof schema.description === 'string' ? schema.description : name}>
                  {name}
                </th>
              ))}
              {rowsForm ? <th scope="col" aria-label="remove" /> : null}
            </tr>
          </thead>
          <tbody>
            {positions.map((row) => (
              <tr key={row}>
                <th scope="row">{row}</th>
                {used.map((column) => {
                  const pointer = pointerOf(cellPath(row, column.name));
                  const bad = remarksBelow(remarks, pointer).some(({ level }) => level === 'error');
                  return (
                    <td key={column.name}>
                      <input
                        aria-label={`${column.name} of row ${row}`}
                        aria-invalid={bad}
                        data-pointer={pointer}
                        value={cellText(cell(row, column.name))}
                        size={Math.min(24, Math.max(5, cellText(cell(row, column.name)).length))}
                        onChange={({ currentTarget }) => edit(row, column, currentTarget.value)}
                      />
                    </td>
                  );
                })}
                {rowsForm ? (
                  <td>
                    <button
                      type="button"
                      class="quiet"
                      aria-label={`remove row ${row}`}
                      onClick={() => onChange([...path, row], undefined)}
                    >
                      ×
                    </button>
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="table-foot">
        <span>
          {length.toLocaleString('en')} {length === 1 ? 'row' : 'rows'}
          {rowsForm ? '' : ', as columns'}
        </span>
        {last > 0 ? (
          <span class="pager">
            <button type="button" class="quiet" disabled={page === 0} onClick={() => setPage(page - 1)}>
              ‹ previous
            </button>
            {first + 1}–{Math.min(length, first + pageSize)}
            <button
              type="button"
              class="quiet"
              disabled={page >= last}
              onClick={() => setPage(Math.min(last, page + 1))}
            >
              next ›
            </button>
          </span>
        ) : null}
        {rowsForm ? (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              onChange([...path, length], isList(value) && length > 0 ? value[length - 1] : sample);
              setPage(Math.floor(length / pageSize));
            }}
          >
            + add a row
          </button>
        ) : null}
      </div>
      {unused.length > 0 ? <p class="about">Rows may also carry {unused.map(({ name }) => name).join(', ')}.</p> : null}
    </div>
  );
}
