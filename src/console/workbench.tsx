/** One operation: the request at the left, and at the right its answer, which is updated after every change. */
import { useMemo, useState } from 'preact/hooks';
import { AnswerPanel } from './answer/answer-panel.tsx';
import { useAnswer } from './answer/use-answer.ts';
import { isJsonObject, type Json, type JsonObject } from './api/json.ts';
import type { Question } from './contract/catalogue.ts';
import { propertiesOf } from './contract/schema.ts';
import { OpenFile } from './open/open-file.tsx';
import { Fields } from './request/field.tsx';
import { type Path, remarksOf, withValue } from './request/pointer.ts';
import type { RequestStore } from './request-store.ts';
import { Choice } from './words/choice.tsx';
import { Markdown } from './words/terms.tsx';

/** Longer names are cut off in the select of examples, and repeated below it. */
const longSummary = 34;

interface WorkbenchProps {
  readonly question: Question;
  readonly store: RequestStore;
  readonly onText: (text: string, name: string) => void;
}

export function Workbench({ question, store, onText }: WorkbenchProps) {
  const { name } = question;
  const [request, setRequest] = useState<JsonObject>(() => store.get(name) ?? question.examples[0]?.request ?? {});
  const exampleName = useMemo(() => {
    const text = JSON.stringify(request);
    return question.examples.find((each) => JSON.stringify(each.request) === text)?.name ?? '';
  }, [question, request]);
  const longExample = question.examples.find((each) => each.name === exampleName && each.summary.length > longSummary);
  const liveAnswer = useAnswer(question, request);
  const { view } = liveAnswer;
  const properties = useMemo(() => propertiesOf(question.schema), [question]);
  const remarks = remarksOf(view.problem);
  const replace = (next: Json | undefined): void => {
    if (!isJsonObject(next)) return;
    store.set(name, next);
    setRequest(next);
  };
  const change = (path: Path, value: Json | undefined): void => replace(withValue(request, path, value));
  return (
    <>
      <section class="ask" aria-label="Request">
        <h1>{question.title}</h1>
        <p class="summary">{question.summary}</p>
        <details class="model">
          <summary>the model</summary>
          <Markdown text={question.description} />
        </details>
        <div class="start">
          <Choice
            label="Example"
            options={[
              ...(exampleName === '' ? [['', 'your own'] as const] : []),
              ...question.examples.map((each) => [each.name, each.summary] as const),
            ]}
            value={exampleName}
            onChoose={(example) => replace(question.examples.find((each) => each.name === example)?.request)}
          />
          {longExample === undefined ? null : <p class="about">{longExample.summary}</p>}
          <OpenFile label="Open a file…" onText={onText} />
        </div>
        <form class="fields" onSubmit={(event) => event.preventDefault()}>
          <Fields properties={properties} path={[]} value={request} remarks={remarks} onChange={change} />
        </form>
      </section>
      <AnswerPanel question={question} request={request} liveAnswer={liveAnswer} onRequest={replace} />
    </>
  );
}
