/** Text inputs of numbers. A text that is no number is sent as typed; the service's refusal appears at the field. */
import { useRef, useState } from 'preact/hooks';
import type { Json } from '../api/json.ts';
import { kindOf, type Meaning } from '../contract/meaning.ts';
import type { ControlIds } from './field-row.tsx';
import { localMoment, numberInWords, parseNumberText, stepOf } from './number-text.ts';

interface InputProps extends ControlIds {
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
}

const plainNumber: Meaning = { label: '', quantity: '', unit: '', role: '', lever: undefined };
const parseNumber = (text: string, meaning: Meaning = plainNumber): Json => parseNumberText(text, meaning) ?? text;

function stepValue(value: number, direction: number, meaning: Meaning, integer: boolean, large: boolean): number {
  return Number((value + direction * stepOf(value, meaning, integer) * (large ? 10 : 1)).toPrecision(12));
}

/** A number without rounding noise: 6.4, not 6.4000000000000004. */
function writeNumber(value: Json | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(Number(value.toPrecision(15)));
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface NumberInputProps extends InputProps {
  readonly integer: boolean;
  readonly meaning: Meaning;
  readonly placeholder: string;
}

/** One number, which the arrow keys step. Durations may be typed as `6h`; a moment also has a date input. */
export function NumberInput(props: NumberInputProps) {
  const { input, descriptionId, invalid, value, onChange, integer, meaning, placeholder } = props;
  // The typed text stays during the edit: "1." must not become "1".
  const draft = useRef<string>(undefined);
  const text =
    draft.current !== undefined && parseNumber(draft.current, meaning) === value ? draft.current : writeNumber(value);
  const words = numberInWords(value, meaning);
  const kind = kindOf(meaning);
  return (
    <span class="number-with-unit">
      <input
        id={input}
        class="number"
        type="text"
        inputMode={kind === 'span' ? 'text' : integer ? 'numeric' : 'decimal'}
        autocomplete="off"
        aria-describedby={descriptionId}
        aria-invalid={invalid || undefined}
        placeholder={placeholder}
        value={text}
        onInput={({ currentTarget }) => {
          draft.current = currentTarget.value;
          onChange(currentTarget.value.trim() === '' ? undefined : parseNumber(currentTarget.value, meaning));
        }}
        onKeyDown={(event) => {
          const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
          if (direction === 0 || typeof value !== 'number') return;
          event.preventDefault();
          draft.current = undefined;
          onChange(stepValue(value, direction, meaning, integer, event.shiftKey));
        }}
      />
      {kind === 'moment' ? (
        <input
          type="datetime-local"
          aria-label="the same as a date, local time"
          value={localMoment(value)}
          onChange={({ currentTarget }) => {
            draft.current = undefined;
            // The text has no zone: Date.parse takes the local one.
            if (currentTarget.value !== '') onChange(Date.parse(currentTarget.value) / 1000);
          }}
        />
      ) : words === '' ? null : (
        <span class="said">= {words}</span>
      )}
    </span>
  );
}

const shownNumbers = 2000;

function parseList(text: string): Json {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  return parts.map((part) => parseNumber(part));
}

const listText = (value: Json | undefined): string => (Array.isArray(value) ? value.map(writeNumber).join(', ') : '');

/** A list of numbers, or a matrix with a row a line. */
export function NumbersInput({
  input,
  descriptionId,
  invalid,
  value,
  rows,
  onChange,
}: InputProps & { readonly rows: boolean }) {
  const draft = useRef<{ text: string; value: string }>(undefined);
  const size = Array.isArray(value) ? value.length : 0;
  const cells = rows && Array.isArray(value) && Array.isArray(value[0]) ? size * value[0].length : size;
  if (cells > shownNumbers) {
    return (
      <p class="large" id={input}>
        {cells.toLocaleString('en')} numbers, from a file; edit them there
      </p>
    );
  }
  const parse = (text: string): Json =>
    rows
      ? text
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map(parseList)
      : parseList(text);
  const own = rows && Array.isArray(value) ? value.map((row: Json) => listText(row)).join('\n') : listText(value);
  const currentDraft = draft.current;
  const text = currentDraft !== undefined && currentDraft.value === JSON.stringify(value) ? currentDraft.text : own;
  return (
    <textarea
      id={input}
      class="code"
      rows={rows ? Math.min(8, Math.max(2, size)) : cells > 12 ? 3 : 1}
      spellcheck={false}
      aria-describedby={descriptionId}
      aria-invalid={invalid || undefined}
      value={text}
      onInput={({ currentTarget }) => {
        const next = currentTarget.value.trim() === '' ? undefined : parse(currentTarget.value);
        draft.current = { text: currentTarget.value, value: JSON.stringify(next) };
        onChange(next);
      }}
    />
  );
}

export function WordsInput({
  input,
  descriptionId,
  invalid,
  words,
  value,
  onChange,
}: InputProps & { readonly words: readonly string[] }) {
  const selectedWords = Array.isArray(value) ? value : [];
  const turn = (word: string, on: boolean): void => {
    const next = words.filter((each) => (each === word ? on : selectedWords.includes(each)));
    onChange(next.length === 0 ? undefined : next);
  };
  return (
    <fieldset class="words" id={input} aria-describedby={descriptionId} aria-invalid={invalid || undefined}>
      {words.map((word) => (
        <label key={word}>
          <input
            type="checkbox"
            checked={selectedWords.includes(word)}
            onChange={({ currentTarget }) => turn(word, currentTarget.checked)}
          />{' '}
          {word}
        </label>
      ))}
    </fieldset>
  );
}

export function JsonInput({ input, descriptionId, invalid, value, onChange }: InputProps) {
  const [draft, setDraft] = useState<string>();
  const json = value === undefined ? '' : JSON.stringify(value);
  return (
    <textarea
      id={input}
      class="code"
      rows={3}
      spellcheck={false}
      aria-describedby={descriptionId}
      aria-invalid={invalid || draft !== undefined || undefined}
      value={draft ?? json}
      onInput={({ currentTarget }) => {
        const text = currentTarget.value;
        try {
          onChange(text.trim() === '' ? undefined : JSON.parse(text));
          setDraft(undefined);
        } catch {
          setDraft(text);
        }
      }}
    />
  );
}
