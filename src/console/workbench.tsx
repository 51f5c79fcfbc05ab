/** One question: its request at the left, its answer at the right, which follows every change. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { AnswerPanel } from './answer/answer-panel.tsx';
import { isJsonObject, type Json, type JsonObject } from './api/json.ts';
import { type Question, titleOf } from './api/openapi.ts';
import type { Answer, Problem, Progress } from './api/solve.ts';
import { solve } from './api/solve.ts';
import { Markdown } from './markdown.tsx';
import { illustrators } from './pictures/index.ts';
import type { Answered } from './pictures/picture.ts';
import { remarksOf } from './request/errors.ts';
import { Fields } from './request/field.tsx';
import { propertiesOf } from './request/field-kind.ts';
import { OpenFile } from './request/open-file.tsx';
import { type Path, withValue } from './request/pointer.ts';

/** What is shown of the latest solve. */
export interface Shown {
  readonly answered: Answered | undefined;
  readonly elapsedMs: number;
  readonly problem: Problem | undefined;
  readonly progress: Progress | undefined;
  readonly solving: boolean;
}

const nothing: Shown = { answered: undefined, elapsedMs: 0, problem: undefined, progress: undefined, solving: false };

/** Requests already typed, by question: going to another one and back loses nothing. */
const kept = new Map<string, JsonObject>();

/** A pause in typing this long, and the request is sent. */
const pauseMs = 180;

/** Sends the request after every change, and its follow-ups after the answer; a change stops what still runs. */
function useAnswer(question: Question, request: JsonObject): Shown {
  const [shown, setShown] = useState<Shown>(nothing);
  const first = useRef(true);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const run = async (): Promise<void> => {
      setShown((before) => ({ ...before, solving: true, progress: undefined }));
      const outcome = await solve(question.name, request, signal, (progress) =>
        setShown((before) => ({ ...before, progress })),
      );
      if (outcome.kind === 'problem') {
        setShown((before) => ({ ...before, problem: outcome.problem, solving: false, progress: undefined }));
        return;
      }
      const { answer, elapsedMs } = outcome;
      const extras = new Map<string, { request: JsonObject; answer: Answer }>();
      const show = (): void =>
        setShown({
          answered: { request, answer, extras: new Map(extras) },
          elapsedMs,
          problem: undefined,
          progress: undefined,
          solving: false,
        });
      show();
      for (const followUp of illustrators[question.name]?.followUps?.(request, answer) ?? []) {
        const next = await solve(followUp.operation, followUp.request, signal);
        if (next.kind !== 'answer') continue;
        extras.set(followUp.key, { request: followUp.request, answer: next.answer });
        show();
      }
    };
    const timer = setTimeout(() => run().catch(() => undefined), first.current ? 0 : pauseMs);
    first.current = false;
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [question, request]);
  return shown;
}

export function Workbench({ question }: { question: Question }) {
  const [request, setRequest] = useState<JsonObject>(
    () => kept.get(question.name) ?? question.examples[0]?.request ?? {},
  );
  const [example, setExample] = useState(question.examples[0]?.name ?? '');
  const shown = useAnswer(question, request);
  const properties = useMemo(() => propertiesOf(question.schema), [question]);
  const remarks = remarksOf(shown.problem, shown.problem ? [] : (shown.answered?.answer.warnings ?? []));
  const replace = (next: Json | undefined, from: string): void => {
    if (!isJsonObject(next)) return;
    kept.set(question.name, next);
    setExample(from);
    setRequest(next);
  };
  const change = (path: Path, value: Json | undefined): void => replace(withValue(request, path, value), '');
  return (
    <>
      <section class="ask" aria-label="Request">
        <h1>{titleOf(question)}</h1>
        <p class="summary">{question.summary}</p>
        <details class="model">
          <summary>the model</summary>
          <Markdown text={question.description} />
        </details>
        <div class="start">
          <label>
            Example
            <select
              value={example}
              onChange={({ currentTarget }) => {
                const found = question.examples.find(({ name }) => name === currentTarget.value);
                if (found) replace(found.request, found.name);
              }}
            >
              {example === '' ? <option value="">your own</option> : null}
              {question.examples.map(({ name, summary }) => (
                <option key={name} value={name}>
                  {summary}
                </option>
              ))}
            </select>
          </label>
          <OpenFile onRequest={(next) => replace(next, '')} />
        </div>
        <form class="fields" onSubmit={(event) => event.preventDefault()}>
          <Fields properties={properties} path={[]} value={request} remarks={remarks} onChange={change} />
        </form>
      </section>
      <AnswerPanel question={question} request={request} shown={shown} />
    </>
  );
}
