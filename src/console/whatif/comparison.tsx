/**
 * The answer beside one that was pinned: what was asked differently, and what that made of the figures and the pages.
 */
import { useMemo } from 'preact/hooks';
import { figure } from '../format.ts';
import type { Answered } from '../pictures/answered.ts';
import type { Illustrator } from '../pictures/picture.ts';
import { type ResultTable, resultTable } from '../plan/result-table.ts';
import type { Reading } from '../reading/reading.ts';
import { compared, counted } from '../reading/words.ts';
import { differences, placeInWords } from './differences.ts';

const mostRows = 8;
/** What a row is compared by: the first of these that the answer has. */
const decisions = ['crawls', 'frequency', 'count', 'crawler', 'time', 'rate', 'weight'];

interface RowChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/**
 * The rows whose decision differs, the largest difference first; undefined where the lists are not of the same rows.
 */
function changedRows(
  before: ResultTable | undefined,
  after: ResultTable | undefined,
): { label: string; subject: string; count: number; rows: RowChange[] } | undefined {
  if (before === undefined || after === undefined || before.length !== after.length) return undefined;
  const named = decisions.find((each) => after.columns.some(({ name }) => name === each));
  const old = before.columns.find(({ name }) => name === named);
  const own = after.columns.find(({ name }) => name === named);
  if (old === undefined || own === undefined || !(old.values instanceof Float64Array)) return undefined;
  const { values: a } = old;
  const b = own.values;
  if (!(b instanceof Float64Array)) return undefined;
  const changed: number[] = [];
  for (let row = 0; row < a.length; row++) {
    if (a[row] !== b[row] && !(Number.isNaN(a[row]) && Number.isNaN(b[row]))) changed.push(row);
  }
  const size = (row: number): number => Math.abs(b[row] - a[row]) || Number.POSITIVE_INFINITY;
  const rows = changed
    .sort((p, q) => size(q) - size(p))
    .slice(0, mostRows)
    .map((row) => ({ name: after.names(row), before: old.text(row), after: own.text(row) }));
  return { label: own.label, subject: after.subject.replace(/s$/, ''), count: changed.length, rows };
}

interface ComparisonProps {
  readonly pinned: Answered;
  readonly answered: Answered;
  readonly illustrator: Illustrator | undefined;
  readonly reading: Reading | undefined;
  readonly onBack: () => void;
}

export function Comparison({ pinned, answered, illustrator, reading, onBack }: ComparisonProps) {
  const asked = differences(pinned.request, answered.request);
  const [before, after] = [pinned.answer.objective?.value, answered.answer.objective?.value];
  const [old, own] = [pinned, answered].map((each) =>
    each.answer.solution ? (illustrator?.headline?.(each) ?? []) : [],
  );
  const figures = own.flatMap(([label, value]) => {
    const was = old.find((each) => each[0] === label)?.[1];
    return was === undefined || was === value ? [] : [{ label, was, value }];
  });
  const rows = useMemo(() => changedRows(resultTable(pinned), resultTable(answered)), [pinned, answered]);
  return (
    <section class="comparison" aria-label="Against the pinned answer" data-differences={asked.length}>
      <div class="head">
        <h3>Against the pinned answer</h3>
        <button type="button" class="quiet" disabled={asked.length === 0} onClick={onBack}>
          back to it
        </button>
      </div>
      {asked.length === 0 ? (
        <p class="about">This is the pinned answer: change the request and see what differs.</p>
      ) : null}
      {asked.length > 0 ? (
        <table>
          <thead>
            <tr>
              <th scope="col">what differs</th>
              <th scope="col">pinned</th>
              <th scope="col">now</th>
            </tr>
          </thead>
          <tbody>
            {asked.map((each) => (
              <tr key={each.pointer}>
                <th scope="row">{placeInWords(each.pointer)}</th>
                <td>{each.before}</td>
                <td>{each.after}</td>
              </tr>
            ))}
            {before !== undefined && after !== undefined ? (
              <tr data-compared="objective">
                <th scope="row">{reading?.objective ?? 'objective'}</th>
                <td>{figure(before, 6)}</td>
                <td>
                  {figure(after, 6)}
                  {before > 0 ? ` (${compared(after, before)})` : ''}
                </td>
              </tr>
            ) : null}
            {figures.map(({ label, was, value }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{was}</td>
                <td>{value}</td>
              </tr>
            ))}
            {rows?.rows.map((row) => (
              <tr key={row.name} data-compared="row">
                <th scope="row">
                  {row.name}, {rows.label}
                </th>
                <td>{row.before}</td>
                <td>{row.after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      {rows !== undefined && rows.count > rows.rows.length ? (
        <p class="about">
          {counted(rows.count, rows.subject)} differ in {rows.label}; the largest differences are shown.
        </p>
      ) : null}
    </section>
  );
}
