/** A cell of a list: numbers, words and choices are edited in place, objects and lists in a dialog. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Json } from '../api/json.ts';
import type { Property } from '../contract/schema.ts';
import { Choice } from '../words/choice.tsx';
import { cellKind, cellSummary } from './cells.ts';
import type { FieldKind } from './field-kind.ts';
import { numberInWords, parseNumberText } from './number-text.ts';

const cellText = (cell: Json | undefined): string =>
  cell === undefined || cell === null ? '' : typeof cell === 'string' ? cell : JSON.stringify(cell);

function parseCell(text: string, kind: FieldKind): Json | undefined {
  if (text.trim() === '') return undefined;
  if (kind.kind === 'text') return text;
  if (kind.kind === 'flag') return text === 'true';
  return kind.kind === 'number' ? (parseNumberText(text, kind.meaning) ?? text) : text;
}

interface CellInputProps {
  readonly label: string;
  readonly pointer: string;
  readonly column: Property;
  readonly cell: Json | undefined;
  readonly bad: boolean;
  readonly onChange: (cell: Json | undefined) => void;
  readonly onOpen: () => void;
}

export function CellInput({ label, pointer, column, cell, bad, onChange, onOpen }: CellInputProps) {
  const kind = cellKind(column);
  const common = { 'aria-label': label, 'aria-invalid': bad || undefined, 'data-pointer': pointer };
  if (kind.kind === 'choice' || kind.kind === 'flag') {
    const words = kind.kind === 'flag' ? ['true', 'false'] : kind.words;
    const text = cell === undefined || cell === null ? '' : String(cell);
    return (
      <Choice
        {...common}
        options={['', ...(text !== '' && !words.includes(text) ? [text] : []), ...words]}
        value={text}
        onChoose={(word) => onChange(parseCell(word, kind))}
      />
    );
  }
  if (kind.kind !== 'number' && kind.kind !== 'text') {
    const summary = cellSummary(cell);
    return (
      <button
        type="button"
        class="nested"
        {...common}
        aria-label={`${label}: ${summary}`}
        aria-haspopup="dialog"
        title="edit"
        onClick={onOpen}
      >
        {summary}
      </button>
    );
  }
  return <TextCell common={common} kind={kind} cell={cell} onChange={onChange} />;
}

interface TextCellProps {
  readonly common: {
    readonly 'aria-label': string;
    readonly 'aria-invalid': boolean | undefined;
    readonly 'data-pointer': string;
  };
  readonly kind: FieldKind;
  readonly cell: Json | undefined;
  readonly onChange: (cell: Json | undefined) => void;
}

/** Keeps the typed text until the edit ends, because an answer that arrives meanwhile renders the list again. */
function TextCell({ common, kind, cell, onChange }: TextCellProps) {
  const [draft, setDraft] = useState<string>();
  const text = draft ?? cellText(cell);
  return (
    <input
      {...common}
      title={kind.kind === 'number' ? numberInWords(cell, kind.meaning) : ''}
      value={text}
      size={Math.min(24, Math.max(5, text.length))}
      onInput={({ currentTarget }) => setDraft(currentTarget.value)}
      onChange={({ currentTarget }) => onChange(parseCell(currentTarget.value, kind))}
      onBlur={() => setDraft(undefined)}
    />
  );
}

interface CellEditorProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** The dialog that edits an object or a list in a cell; every change takes effect at once. */
export function CellEditor({ title, onClose, children }: CellEditorProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="cell-editor fields" aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      {children}
      <p class="dialog-actions">
        <button type="button" class="primary" onClick={() => dialog.current?.close()}>
          Done
        </button>
      </p>
    </dialog>
  );
}
