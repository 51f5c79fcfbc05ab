/** Numbers as text: what is not a number goes to the service as it is, whose refusal then stands at the field. */
import { useRef } from 'preact/hooks';
import type { Json } from '../api/json.ts';

interface InputProps {
  readonly input: string;
  readonly described: string;
  readonly invalid: boolean;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
}

const parsed = (text: string): Json => {
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) ? number : text;
};

/** One step in the last digit but one of the value: 40 → 41, 0.25 → 0.26, 1200 → 1210. */
function step(value: number, direction: number, integer: boolean, large: boolean): number {
  const digits = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value))) - 1;
  const size = 10 ** Math.max(digits, integer ? 0 : -12) * (large ? 10 : 1);
  return Number((value + direction * (value === 0 && !integer ? 0.1 : size)).toPrecision(12));
}

const written = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** One number; the arrow keys move it. */
export function NumberInput({
  input,
  described,
  invalid,
  value,
  onChange,
  integer,
  placeholder,
}: InputProps & { readonly integer: boolean; readonly placeholder: string }) {
  // While it is typed in, the text is the person's: "1." must not become "1".
  const draft = useRef<string>(undefined);
  const text = draft.current !== undefined && parsed(draft.current) === value ? draft.current : written(value);
  return (
    <input
      id={input}
      class="number"
      type="text"
      inputMode={integer ? 'numeric' : 'decimal'}
      autocomplete="off"
      aria-describedby={described}
      aria-invalid={invalid}
      placeholder={placeholder}
      value={text}
      onInput={({ currentTarget }) => {
        draft.current = currentTarget.value;
        onChange(currentTarget.value.trim() === '' ? undefined : parsed(currentTarget.value));
      }}
      onKeyDown={(event) => {
        const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
        if (direction === 0 || typeof value !== 'number') return;
        event.preventDefault();
        draft.current = undefined;
        onChange(step(value, direction, integer, event.shiftKey));
      }}
    />
  );
}

const shownNumbers = 2000;

function parsedList(text: string): Json {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  return parts.map(parsed);
}

const listText = (value: Json | undefined): string => (Array.isArray(value) ? value.map(written).join(', ') : '');

/** A list of numbers, or a matrix with a row a line. */
export function NumbersInput({
  input,
  described,
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
          .map(parsedList)
      : parsedList(text);
  const own = rows && Array.isArray(value) ? value.map((row: Json) => listText(row)).join('\n') : listText(value);
  const typed = draft.current;
  const text = typed !== undefined && typed.value === JSON.stringify(value) ? typed.text : own;
  return (
    <textarea
      id={input}
      class="code"
      rows={rows ? Math.min(8, Math.max(2, size)) : cells > 12 ? 3 : 1}
      spellcheck={false}
      aria-describedby={described}
      aria-invalid={invalid}
      value={text}
      onInput={({ currentTarget }) => {
        const next = currentTarget.value.trim() === '' ? undefined : parse(currentTarget.value);
        draft.current = { text: currentTarget.value, value: JSON.stringify(next) };
        onChange(next);
      }}
    />
  );
}
