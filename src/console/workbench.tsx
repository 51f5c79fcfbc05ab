/** One question: its request at the left, its answer at the right, which follows every change. */
import { useMemo, useState } from 'preact/hooks';
import { AnswerPanel } from './answer/answer-panel.tsx';
import { useAnswer } from './answer/use-answer.ts';
import { isJsonObject, type Json, type JsonObject } from './api/json.ts';
import { type Question, titleOf } from './api/openapi.ts';
import { Markdown } from './markdown.tsx';
import { remarksOf } from './request/errors.ts';
import { Fields } from './request/field.tsx';
import { propertiesOf } from './request/field-kind.ts';
import { OpenFile } from './request/open-file.tsx';
import { type Path, withValue } from './request/pointer.ts';

/** Requests already typed, by question: going to another one and back loses nothing. */
const kept = new Map<string, JsonObject>();

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
