/** Why a request was refused: each error leads to its field. */

import { useState } from 'preact/hooks';
import { countText, figure } from '../../schemas/words/numbers.ts';
import type { Answer, Problem } from '../api/answer.ts';
import { storedKey, storeKey } from '../api/service.ts';
import { keyEnteredEvent } from './use-answer.ts';

interface RefusalProps {
  readonly problem: Problem;
  /** The request is sent again automatically after the wait that the service named. */
  readonly isRetrying: boolean;
  readonly onRetry: () => void;
}

const needsKey = 401;
/** Statuses for which a retry may succeed: no connection, too many requests, no worker free, time limit reached. */
const transientStatuses = [0, 429, 503, 504];

export function Refusal({ problem, isRetrying, onRetry }: RefusalProps) {
  const { title, status, detail, errors, errorCount, retryAfterMs = 0 } = problem;
  return (
    <div class="refusal" role="alert">
      <h2>
        {title}
        {status > 0 ? <span class="code"> ({status})</span> : null}
      </h2>
      {errors.length === 0 ? <p>{detail}</p> : null}
      {status === needsKey ? <KeyField label="API key; Enter asks again" /> : null}
      {isRetrying ? <p data-retrying>It is asked again by itself in {figure(retryAfterMs / 1000)} s.</p> : null}
      {transientStatuses.includes(status) ? (
        <button type="button" onClick={onRetry}>
          {isRetrying ? 'Ask now' : 'Ask again'}
        </button>
      ) : null}
      <ul>
        {errors.map(({ pointer, detail: fault }) => (
          <li key={pointer + fault}>
            <FieldLink pointer={pointer} /> {fault}
          </li>
        ))}
      </ul>
      {errorCount > errors.length ? <p>and {figure(errorCount - errors.length)} more</p> : null}
    </div>
  );
}

function goTo(pointer: string): void {
  const parts = pointer.split('/');
  while (parts.length > 1) {
    const name = CSS.escape(parts.join('/'));
    const at =
      document.querySelector(`[data-pointer="${name}"]:is(input, select, button)`) ??
      document.querySelector(`[data-field="${name}"] :is(input, select, textarea)`);
    if (at instanceof HTMLElement) {
      at.closest('details')?.setAttribute('open', '');
      at.focus();
      return;
    }
    parts.pop();
  }
}

function FieldLink({ pointer }: { pointer: string }) {
  return (
    <button type="button" class="pointer" onClick={() => goTo(pointer)}>
      {pointer || 'the request'}
    </button>
  );
}

/** The list starts closed where it has more notes than this. */
const maxOpen = 2;

/** The warnings, equal texts merged with all their pointers, in order of their codes. */
const notesOf = ({ warnings }: Answer) =>
  [...Map.groupBy(warnings, ({ code, detail }) => `${code} ${detail}`).values()]
    .map((equal) => ({ ...equal[0], pointers: [...new Set(equal.flatMap(({ pointer }) => pointer ?? []))] }))
    .sort((a, b) => a.code.localeCompare(b.code));

export function Notices({ answer }: { answer: Answer }) {
  const notes = notesOf(answer);
  if (notes.length === 0) return null;
  return (
    <details class="notice" data-notices={notes.length} open={notes.length <= maxOpen}>
      <summary>{countText(notes.length, 'note')} on this answer</summary>
      <ul>
        {notes.map(({ code, detail, pointers }) => (
          <li key={code + detail} data-warning={code}>
            {sentence(detail)}{' '}
            {pointers.map((pointer) => (
              <FieldLink key={pointer} pointer={pointer} />
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Begins with a capital and ends with a full stop. */
const sentence = (text: string): string =>
  text.replace(/^[a-z]/, (first) => first.toUpperCase()).replace(/[^.!?]$/, '$&.');

export function KeyField({ label }: { label: string }) {
  const [key, setKey] = useState(storedKey);
  return (
    <form
      class="key"
      onSubmit={(event) => {
        event.preventDefault();
        dispatchEvent(new Event(keyEnteredEvent));
      }}
    >
      <label>
        {label}
        <input
          type="password"
          autocomplete="off"
          enterkeyhint="send"
          value={key}
          onInput={({ currentTarget }) => {
            setKey(currentTarget.value);
            storeKey(currentTarget.value);
          }}
        />
      </label>
    </form>
  );
}
