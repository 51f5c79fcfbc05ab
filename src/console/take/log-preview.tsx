/** A log before it is taken: what its columns mean, the zone of its times, its first lines, and what is read of it. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { usualColumns } from '../../logs/formats/columns.ts';
import type { LogOptions, LogRecord } from '../../logs/log-record.ts';
import type { JsonObject } from '../api/json.ts';
import { counted } from '../reading/words.ts';
import { columnsOf, logRead } from './log-text.ts';

const previewedLines = 5;
const previewedCharacters = 2000;

const roles: readonly (readonly [keyof LogRecord, string])[] = [
  ['page', 'page (URL or id)'],
  ['time', 'time of the fetch'],
  ['status', 'HTTP status'],
  ['signature', 'signature of the content'],
  ['lastModified', 'Last-Modified'],
  ['changed', 'changed since the fetch before'],
];

/** What is taken where the reader chooses nothing. */
function byName(role: keyof LogRecord, columns: readonly string[]): string {
  const [first] = usualColumns(role, columns);
  return first === undefined ? 'none' : `${first} (by its name)`;
}

interface LogPreviewProps {
  readonly name: string;
  readonly text: string;
  readonly onRequest: (request: JsonObject) => void;
  readonly onClose: () => void;
}

export function LogPreview({ name, text, onRequest, onClose }: LogPreviewProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [options, setOptions] = useState<LogOptions>({});
  const read = useMemo(() => logRead(text, options), [text, options]);
  const columns = useMemo(() => columnsOf(text), [text]);
  useEffect(() => dialog.current?.showModal(), []);
  const map = (role: keyof LogRecord, column: string): void => {
    const { [role]: _, ...others } = options.map ?? {};
    setOptions({ ...options, map: column === '' ? others : { ...others, [role]: column } });
  };
  return (
    <dialog ref={dialog} class="log-preview" aria-labelledby="log-preview-title" onClose={onClose}>
      <h2 id="log-preview-title">A crawl log{read.kind === 'read' ? `, as ${read.format}` : ''}</h2>
      <p role="status">{read.kind === 'read' ? `${name}: ${read.summary}.` : `It cannot be read yet: ${read.why}.`}</p>
      {read.kind === 'read' && read.notes.length > 0 ? (
        <ul class="notes">
          {read.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      ) : null}
      <div class="mapping">
        {columns.length < 2
          ? null
          : roles.map(([role, meaning]) => (
              <label key={role}>
                {meaning}
                <select
                  data-role={role}
                  value={options.map?.[role] ?? ''}
                  onChange={({ currentTarget }) => map(role, currentTarget.value)}
                >
                  <option value="">{byName(role, columns)}</option>
                  {columns.map((column) => (
                    <option key={column} value={column}>
                      {column}
                    </option>
                  ))}
                </select>
              </label>
            ))}
        <label>
          zone of times that name none
          <input
            placeholder="UTC"
            onChange={({ currentTarget }) => {
              const zone = currentTarget.value.trim();
              const { zone: _, ...others } = options;
              setOptions(zone === '' ? others : { ...others, zone });
            }}
          />
        </label>
      </div>
      <pre class="scroll">{text.slice(0, previewedCharacters).split('\n').slice(0, previewedLines).join('\n')}</pre>
      <p class="dialog-actions">
        <button
          type="button"
          class="primary"
          disabled={read.kind !== 'read'}
          onClick={() => {
            if (read.kind === 'read') onRequest(read.request);
          }}
        >
          Plan {read.kind === 'read' ? `the crawls of ${counted(read.pages, 'page')}` : 'the crawls'}
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          Keep what I have
        </button>
      </p>
    </dialog>
  );
}
