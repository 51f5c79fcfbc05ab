/** Why a request was refused: each error leads to its field, and what can be mended by a click has one. */

import { figure } from '../../words/numbers.ts';
import type { Problem } from '../api/answer.ts';
import { isJsonObject, type JsonObject } from '../api/json.ts';
import { type Path, withValue } from '../request/pointer.ts';
import { KeyField } from './key-field.tsx';

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

/** The request without what a pointer leads to. */
function without(request: JsonObject, pointer: string): JsonObject {
  const steps = pointer.split('/').slice(1);
  const path: Path = steps.map((step) =>
    /^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~'),
  );
  const rest = withValue(request, path, undefined);
  return isJsonObject(rest) ? rest : request;
}

interface RefusalProps {
  readonly problem: Problem;
  /** It is asked again by itself, after the time the service named. */
  readonly retrying: boolean;
  readonly request: JsonObject;
  readonly onRequest: (request: JsonObject) => void;
  readonly onAgain: () => void;
}

const needsKey = 401;
/** What may be over when it is asked again: no connection, too many requests, no worker free, the time limit. */
const passing = [0, 429, 503, 504];

export function Refusal({ problem, retrying, request, onRequest, onAgain }: RefusalProps) {
  return (
    <div class="refusal" role="alert">
      <h2>
        {problem.title}
        {problem.status > 0 ? <span class="code"> {problem.status}</span> : null}
      </h2>
      {problem.errors.length === 0 ? <p>{problem.detail}</p> : null}
      {problem.status === needsKey ? <KeyField label="API key; Enter asks again" /> : null}
      {retrying ? (
        <p data-retrying>It is asked again by itself in {figure((problem.retryAfterMs ?? 0) / 1000)} s.</p>
      ) : null}
      {passing.includes(problem.status) ? (
        <button type="button" onClick={onAgain}>
          {retrying ? 'Ask now' : 'Ask again'}
        </button>
      ) : null}
      <ul>
        {problem.errors.map(({ pointer, code, detail }) => (
          <li key={pointer + detail}>
            <button type="button" class="pointer" onClick={() => goTo(pointer)}>
              {pointer || 'the request'}
            </button>{' '}
            {detail}
            {code === 'unrecognized_key' ? (
              <button type="button" class="quiet" onClick={() => onRequest(without(request, pointer))}>
                remove it
              </button>
            ) : null}
          </li>
        ))}
      </ul>
      {problem.errorCount > problem.errors.length ? (
        <p>and {figure(problem.errorCount - problem.errors.length)} more</p>
      ) : null}
    </div>
  );
}
