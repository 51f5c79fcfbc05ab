/**
 * The answer beside one that was pinned: what was asked differently, and what that made of the figures and the pages.
 */
import { useMemo } from 'preact/hooks';
import { compared, counted, figure } from '../../words/numbers.ts';
import type { Answered } from '../api/answered.ts';
import { number } from '../api/read.ts';
import { firstFields } from '../contract/answer-fields.ts';
import type { Question } from '../contract/catalogue.ts';
import { valueText } from '../contract/meaning.ts';
import { type ResultColumn, type ResultTable, resultTable } from '../pictures/table/result-table.ts';
import { differences, placeInWords } from './differences.ts';

const mostRows = 8;

interface RowChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

interface ChangedRows {
  readonly label: string;
  readonly subject: string;
  readonly count: number;
  readonly rows: readonly RowChange[];
}

/**
 * The rows that differ in the first column in which any do, the largest difference first. It is undefined where the
 * lists are not of the same rows.
 */
function changedRows(before: ResultTable | undefined, after: ResultTable | undefined): ChangedRows | undefined {
  if (before === undefined || after === undefined || before.length !== after.length) return undefined;
  for (const own of after.columns) {
    const old = before.columns.find(({ name }) => name === own.name);
    const [a, b] = [old?.values, own.values];
    if (old === undefined || !(a instanceof Float64Array) || !(b instanceof Float64Array)) continue;
    const changed = Array.from(a.keys()).filter((row) => !Object.is(a[row], b[row]));
    if (changed.length > 0) return largestOf(changed, old, own, after);
  }
  return undefined;
}

/** Of the rows that differ those that differ most, in words. */
function largestOf(changed: number[], old: ResultColumn, own: ResultColumn, after: ResultTable): ChangedRows {
  const [a, b] = [old.values, own.values].map((values) => (values instanceof Float64Array ? values : []));
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
  readonly question: Question;
  readonly onBack: () => void;
}

export function Comparison({ pinned, answered, question, onBack }: ComparisonProps) {
  const asked = differences(pinned.request, answered.request);
  const [before, after] = [pinned.answer.objective?.value, answered.answer.objective?.value];
  const figures = firstFields(question.answer(), answered.answer).flatMap(({ path, meaning }) => {
    const [was, value] = [pinned, answered].map((each) => valueText(number(each.answer, ...path), meaning));
    return was === value ? [] : [{ label: meaning.label, was, value }];
  });
  const rows = useMemo(
    () => changedRows(resultTable(question, pinned), resultTable(question, answered)),
    [question, pinned, answered],
  );
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
                <th scope="row">{answered.answer.objective?.measure ?? 'objective'}</th>
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
