/** Preview of a log: the roles of its columns, the time zone, its first lines, and a summary of what is read from it. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { usualColumns } from '../../logs/formats/columns.ts';
import { detectFormat, sniffLength } from '../../logs/formats/log-formats.ts';
import { columnNames } from '../../logs/formats/rows.ts';
import { type LogOptions, type LogRole, logRoles, type UserAgent } from '../../logs/log-record.ts';
import { countText, figure } from '../../schemas/words/numbers.ts';
import type { JsonObject } from '../api/json.ts';
import { Choice } from '../words/choice.tsx';
import { dayPlan, type PlanStart, readLogText, rewordNote } from './log-text.ts';

const previewLines = 5;
const previewCharacters = 2000;
const maxAgents = 40;
const starts: readonly PlanStart[] = ['this moment', 'the end of the log'];

/** Whether the user has to choose the column of a required role: none fits, or several may be the time. */
const mustChoose = (role: LogRole, columns: readonly string[]): boolean =>
  (role === 'page' && usualColumns(role, columns).length === 0) ||
  (role === 'time' && usualColumns(role, columns).length !== 1);

/** Label of the default choice: the column recognised by its name. */
function byName(role: LogRole, columns: readonly string[]): string {
  if (mustChoose(role, columns)) return 'choose a column';
  const [first] = usualColumns(role, columns);
  return first === undefined ? 'none' : `${first} (by its name)`;
}

interface LogPreviewProps {
  readonly name: string;
  readonly text: string;
  readonly onRequest: (request: JsonObject) => void;
  readonly onClose: () => void;
}

/** Questions besides the columns: the user agent, the address before relative paths, whether a new size is a change. */
function LogQuestions({ options, agents, onOptions }: LogQuestionsProps) {
  const { agent, base, signature, ...otherOptions } = options;
  const current = { agent, base, signature };
  const set = (next: Partial<typeof current>): void =>
    onOptions({
      ...otherOptions,
      ...Object.fromEntries(Object.entries({ ...current, ...next }).filter(([, value]) => value)),
    });
  return (
    <>
      {agents.length === 0 ? null : (
        <Choice
          label="your crawler’s user agent"
          data-ask="agent"
          options={[
            ['', `choose one of ${figure(agents.length)}`],
            ...agents
              .slice(0, maxAgents)
              .map((each) => [each.agent, `${each.agent || 'no agent'} (${countText(each.lines, 'line')})`] as const),
          ]}
          value={agent ?? ''}
          onChoose={(each) => set({ agent: each })}
        />
      )}
      <label>
        put before paths
        <input
          data-ask="base"
          placeholder="https://www.example.com"
          value={base ?? ''}
          onChange={({ currentTarget }) => set({ base: currentTarget.value.trim() })}
        />
      </label>
      <label class="switch">
        <input
          type="checkbox"
          data-ask="signature"
          checked={signature === 'bytes'}
          onChange={({ currentTarget }) => set({ signature: currentTarget.checked ? 'bytes' : undefined })}
        />
        an answer of another size is a change
      </label>
    </>
  );
}

interface LogQuestionsProps {
  readonly options: LogOptions;
  readonly agents: readonly UserAgent[];
  readonly onOptions: (options: LogOptions) => void;
}

export function LogPreview({ name, text, onRequest, onClose }: LogPreviewProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [options, setOptions] = useState<LogOptions>({});
  const read = useMemo(() => readLogText(text, options), [text, options]);
  const columns = useMemo(() => columnNames(text.slice(0, sniffLength)), [text]);
  const format = useMemo(() => detectFormat(text), [text]);
  const [start, setStart] = useState<PlanStart>('this moment');
  const [crawls, setCrawls] = useState('');
  // The list of agents stays after the log was read, so that another can be chosen.
  const [agents, setAgents] = useState<readonly UserAgent[]>([]);
  if (read.kind === 'refused' && read.agents.length > 0 && agents.length === 0) setAgents(read.agents);
  useEffect(() => dialog.current?.showModal(), []);
  const map = (role: LogRole, column: string): void => {
    const { [role]: _, ...otherRoles } = options.map ?? {};
    setOptions({ ...options, map: column === '' ? otherRoles : { ...otherRoles, [role]: column } });
  };
  const fetches = crawls.trim() === '' && read.kind === 'read' ? read.fetchesADay : Number(crawls);
  const canPlan = read.kind === 'read' && Number.isInteger(fetches) && fetches > 0;
  const plan = (): void => {
    const request = canPlan ? dayPlan(read.log, start, fetches) : undefined;
    if (request !== undefined) onRequest(request);
  };
  const notes = read.kind === 'read' ? read.log.notes : [];
  return (
    <dialog ref={dialog} class="log-preview" aria-labelledby="log-preview-title" onClose={onClose}>
      <h2 id="log-preview-title">A crawl log{format === undefined ? '' : `: ${format.title}`}</h2>
      <p role="status">
        {read.kind === 'read' ? `${name}: ${read.summary}.` : `It cannot be read yet: ${read.reason}.`}
      </p>
      {notes.length > 0 ? (
        <ul class="notes">
          {notes.map((note) => (
            <li key={note}>{rewordNote(note)}</li>
          ))}
        </ul>
      ) : null}
      <div class="mapping">
        {columns.length < 2 || format?.hasColumns !== true
          ? null
          : logRoles.map(([role, meaning]) => (
              <Choice
                key={role}
                label={meaning}
                data-role={role}
                aria-invalid={(options.map?.[role] === undefined && mustChoose(role, columns)) || undefined}
                options={[['', byName(role, columns)], ...columns]}
                value={options.map?.[role] ?? ''}
                onChoose={(column) => map(role, column)}
              />
            ))}
        {format?.formatOptions === undefined && agents.length === 0 ? null : (
          <LogQuestions options={options} agents={agents} onOptions={setOptions} />
        )}
        <label>
          time zone of times without one
          <input
            placeholder="UTC"
            onChange={({ currentTarget }) => {
              const zone = currentTarget.value.trim();
              const { zone: _, ...otherOptions } = options;
              setOptions(zone === '' ? otherOptions : { ...otherOptions, zone });
            }}
          />
        </label>
      </div>
      <pre class="scroll">{text.slice(0, previewCharacters).split('\n').slice(0, previewLines).join('\n')}</pre>
      {read.kind === 'read' ? (
        <div class="mapping">
          <Choice
            label="plan a day from"
            data-ask="start"
            options={starts}
            value={start}
            onChoose={(each) => setStart(starts.find((candidate) => candidate === each) ?? start)}
          />
          <label>
            fetches that day
            <input
              data-ask="fetches"
              inputMode="numeric"
              placeholder={`${figure(read.fetchesADay)}, the mean of the log`}
              value={crawls}
              onInput={({ currentTarget }) => setCrawls(currentTarget.value)}
            />
          </label>
        </div>
      ) : null}
      <p class="dialog-actions">
        <button type="button" class="primary" disabled={!canPlan} onClick={plan}>
          Plan {read.kind === 'read' ? `the fetches of ${countText(read.log.pages.length, 'page')}` : 'the fetches'}
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </p>
    </dialog>
  );
}
