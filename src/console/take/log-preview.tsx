/** A log before it is taken: what its columns mean, the unit and zone of its times, and the first lines as they are read. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../api/json.ts';
import { dateTime } from '../plan/dates.ts';
import { counted } from '../reading/words.ts';
import type { LogRows } from './log-lines.ts';
import { guessed, type LogReading, requestOfLog, roles, type TimeUnit, timeUnits } from './log-request.ts';

const previewed = 5;

const roleNames: Readonly<Record<(typeof roles)[number], string>> = {
  page: 'page (URL or id)',
  time: 'time of the fetch',
  status: 'HTTP status',
  signature: 'signature of the content',
  lastModified: 'Last-Modified',
  changed: 'changed since the fetch before',
};

const units = Object.keys(timeUnits).filter((unit): unit is TimeUnit => unit in timeUnits);

interface LogPreviewProps {
  readonly name: string;
  readonly log: LogRows;
  readonly onRequest: (request: JsonObject) => void;
  readonly onClose: () => void;
}

export function LogPreview({ name, log, onRequest, onClose }: LogPreviewProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [reading, setReading] = useState<LogReading>(() => guessed(log));
  const summary = useMemo(() => requestOfLog(log, reading), [log, reading]);
  useEffect(() => dialog.current?.showModal(), []);
  const { request, pages, fetches, from, to, unread, missing } = summary;
  const setRole = (role: (typeof roles)[number], column: string): void =>
    setReading({ ...reading, mapping: { ...reading.mapping, [role]: column === '' ? undefined : column } });
  return (
    <dialog ref={dialog} class="log-preview" aria-labelledby="log-preview-title" onClose={onClose}>
      <h2 id="log-preview-title">A crawl log, as {log.format}</h2>
      <p role="status">
        {request === undefined
          ? missing
          : `${name}: ${counted(pages, 'page')}, ${counted(fetches, 'fetch', 'fetches')}, ${dateTime(from)} to ${dateTime(to)}.`}
        {request !== undefined && unread + log.unread > 0
          ? ` ${counted(unread + log.unread, 'line')} cannot be read.`
          : ''}
      </p>
      <div class="mapping">
        {roles.map((role) => (
          <label key={role}>
            {roleNames[role]}
            <select
              data-role={role}
              value={reading.mapping[role] ?? ''}
              onChange={({ currentTarget }) => setRole(role, currentTarget.value)}
            >
              <option value="">not in this log</option>
              {log.columns.map((column) => (
                <option key={column} value={column}>
                  {column}
                </option>
              ))}
            </select>
          </label>
        ))}
        <label>
          numbers of time are in
          <select
            value={reading.unit}
            onChange={({ currentTarget }) => setReading({ ...reading, unit: units[currentTarget.selectedIndex] })}
          >
            {units.map((unit) => (
              <option key={unit}>{unit}</option>
            ))}
          </select>
        </label>
        <label>
          zone of times that name none
          <input
            value={reading.zone === 'Z' ? 'UTC' : reading.zone}
            onChange={({ currentTarget }) => {
              const zone = currentTarget.value.trim();
              setReading({ ...reading, zone: /^[+-]\d\d:\d\d$/.test(zone) ? zone : 'Z' });
            }}
          />
        </label>
      </div>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              {log.columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {log.rows.slice(0, previewed).map((row, i) => (
              <tr key={String(i)}>
                {log.columns.map((column) => (
                  <td key={column}>{String(row[column] ?? '')}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="dialog-actions">
        <button
          type="button"
          class="primary"
          disabled={request === undefined}
          onClick={() => {
            if (request !== undefined) onRequest(request);
          }}
        >
          Plan {pages === 0 ? 'the crawls' : `the crawls of ${counted(pages, 'page')}`}
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          Keep what I have
        </button>
      </p>
    </dialog>
  );
}
