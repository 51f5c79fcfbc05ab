/** One question: its request at the left, its answer at the right, which follows every change. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { AnswerPanel } from './answer/answer-panel.tsx';
import { useAnswer } from './answer/use-answer.ts';
import type { Answer } from './api/answer.ts';
import { isJsonObject, type Json, type JsonObject } from './api/json.ts';
import type { Question } from './contract/catalogue.ts';
import { propertiesOf } from './contract/schema.ts';
import { remarksOf } from './request/errors.ts';
import { Fields } from './request/field.tsx';
import { type Path, withValue } from './request/pointer.ts';
import { hashOf } from './state/address.ts';
import { CopyLink } from './state/copy-link.tsx';
import type { RequestStore } from './state/request-store.ts';
import { stayAt } from './state/stay.ts';
import { OpenFile } from './take/open-file.tsx';
import { Markdown } from './words/markdown.tsx';

/** The address follows the request after a pause this long. */
const addressPauseMs = 400;
/** The choice of examples cuts longer names off: they stand below it. */
const longSummary = 34;

/** An answer that came in a file, and the request that stood in the form then. */
export interface GivenAnswer {
  readonly answer: Answer;
  readonly request: JsonObject;
  readonly file: string;
}

interface WorkbenchProps {
  readonly question: Question;
  readonly store: RequestStore;
  readonly given: GivenAnswer | undefined;
  readonly onText: (text: string, name: string) => void;
  /** The address came without its request, which was too large for it. */
  readonly lacking: boolean;
}

/** Keeps the address in step with the request, so that a link or a reload brings it back. */
function useAddress(question: Question, request: JsonObject): void {
  const first = useRef(true);
  useEffect(() => {
    let left = false;
    // Until the new one is packed no address is better than an old one: a reload then finds the stored request.
    if (!first.current && location.hash.includes('?')) stayAt(question.name, `#/${question.name}`);
    first.current = false;
    const timer = setTimeout(async () => {
      const untouched = request === question.examples[0]?.request;
      const hash = untouched ? `#/${question.name}` : await hashOf(question.name, request);
      if (!left) stayAt(question.name, hash);
    }, addressPauseMs);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [question, request]);
}

export function Workbench({ question, store, given, onText, lacking }: WorkbenchProps) {
  // The address is cleared soon: what it lacked is known at the start alone.
  const [lacked] = useState(lacking);
  const { name } = question;
  const [request, setRequest] = useState<JsonObject>(() => store.get(name) ?? question.examples[0]?.request ?? {});
  const sameAs = useMemo(() => {
    const text = JSON.stringify(request);
    return question.examples.find((each) => JSON.stringify(each.request) === text)?.name ?? '';
  }, [question, request]);
  const chosen = question.examples.find((each) => each.name === sameAs && each.summary.length > longSummary);
  // The file's answer stays until the request is changed, which asks the service.
  const own = request === given?.request ? given : undefined;
  const answering = useAnswer(question, request, own?.answer);
  const { shown } = answering;
  const [pinned, setPinned] = useState(() => store.pinned(name));
  useAddress(question, request);
  const properties = useMemo(() => propertiesOf(question.schema), [question]);
  const remarks = remarksOf(shown.problem, shown.problem ? [] : (shown.answered?.answer.warnings ?? []));
  const replace = (next: Json | undefined, typed: boolean): void => {
    if (!isJsonObject(next)) return;
    store.set(name, next, request, typed, performance.now());
    setRequest(next);
  };
  const change = (path: Path, value: Json | undefined): void => replace(withValue(request, path, value), true);
  const step = (next: JsonObject | undefined): void => {
    if (next !== undefined) setRequest(next);
  };
  return (
    <>
      <section class="ask" aria-label="Request">
        <h1>{question.title}</h1>
        <p class="summary">{question.summary}</p>
        {lacked ? (
          <p class="notice" data-lacking>
            The request of this link was too large to be in it. This is an example: ask for the file of the request, and
            open that.
          </p>
        ) : null}
        <details class="model">
          <summary>the model</summary>
          <Markdown text={question.description} />
        </details>
        <div class="start">
          <label>
            Example
            <select
              value={sameAs}
              onChange={({ currentTarget }) => {
                const found = question.examples.find((each) => each.name === currentTarget.value);
                if (found) replace(found.request, false);
              }}
            >
              {sameAs === '' ? <option value="">your own</option> : null}
              {question.examples.map((each) => (
                <option key={each.name} value={each.name}>
                  {each.summary}
                </option>
              ))}
            </select>
          </label>
          {chosen === undefined ? null : <p class="about">{chosen.summary}</p>}
          <OpenFile label="Open a file…" onText={onText} />
          <div class="history">
            <button
              type="button"
              class="quiet"
              data-undo
              disabled={!store.canUndo(name)}
              onClick={() => step(store.undo(name, request))}
            >
              ↶ undo
            </button>
            <button
              type="button"
              class="quiet"
              disabled={!store.canRedo(name)}
              onClick={() => step(store.redo(name, request))}
            >
              redo ↷
            </button>
            <CopyLink operation={name} request={request} />
          </div>
        </div>
        <form class="fields" onSubmit={(event) => event.preventDefault()}>
          <Fields properties={properties} path={[]} value={request} remarks={remarks} onChange={change} />
        </form>
      </section>
      <AnswerPanel
        question={question}
        request={request}
        answering={answering}
        pinned={pinned}
        file={own?.file}
        onRequest={(next) => replace(next, true)}
        onPin={(answered) => {
          store.pin(name, answered);
          setPinned(answered);
        }}
      />
    </>
  );
}
