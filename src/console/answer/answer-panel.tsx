/** The answer: how good it is, its figures and pictures, and both sides of the exchange as text. */
import { useState } from 'preact/hooks';
import { isJsonObject, type Json, type JsonObject } from '../api/json.ts';
import type { Question } from '../api/openapi.ts';
import type { Answer, Problem, Progress } from '../api/solve.ts';
import { duration, figure, percent } from '../format.ts';
import { illustrators } from '../pictures/index.ts';
import { PlanView } from '../plan/plan-view.tsx';
import { readings } from '../reading/index.ts';
import { Terms } from '../reading/terms.tsx';
import { Code } from './code.tsx';
import { Figure } from './figure.tsx';
import { RequestEditor } from './request-editor.tsx';
import type { Shown } from './use-answer.ts';

/** How far the answer can be from the best, in words. */
function proof({ status, objective }: Answer): string {
  const gap = objective?.gap ?? null;
  if (status === 'infeasible') return 'no solution exists';
  if (status === 'evaluated') return 'computed as given';
  if (gap === null) return 'a good answer, without a proved bound';
  if (gap <= 0) return 'proved the best there is';
  return status === 'optimal' ? `proved to ${figure(gap, 1)}` : `at most ${percent(gap)} above the best there is`;
}

function Verdict({ name, answer, elapsedMs }: { name: string; answer: Answer; elapsedMs: number }) {
  const { status, objective, statistics } = answer;
  const reading = readings[name];
  return (
    <div class="verdict">
      <span class={`badge ${status}`} data-status={status}>
        {status}
      </span>
      {objective ? (
        <dl>
          <div>
            <dt>
              <Terms text={reading?.objective ?? 'objective'} />
              {reading?.unit ? <span class="unit-of"> ({reading.unit})</span> : null}
            </dt>
            <dd data-objective={objective.value}>{figure(objective.value, 6)}</dd>
          </div>
          {objective.bound === null || objective.bound === objective.value ? null : (
            <div>
              <dt>
                <Terms text="bound" />
              </dt>
              <dd>{figure(objective.bound, 6)}</dd>
            </div>
          )}
        </dl>
      ) : null}
      <span class="proof">{proof(answer)}</span>
      <span class="how">
        {statistics.solver}, {duration(statistics.solveMs)} · round trip {duration(elapsedMs)}
      </span>
    </div>
  );
}

function Waiting({ progress }: { progress: Progress | undefined }) {
  const fraction = progress?.fraction ?? null;
  return (
    <div class="waiting" role="status">
      <progress {...(fraction === null ? {} : { value: fraction })} max={1} aria-label="solving" />
      <span>
        solving
        {progress?.incumbent == null ? '' : ` · best ${figure(progress.incumbent, 6)}`}
        {progress?.bound == null ? '' : ` · bound ${figure(progress.bound, 6)}`}
      </span>
    </div>
  );
}

/** The request without the property a pointer names. */
function without(request: JsonObject, pointer: string): JsonObject {
  const path = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const remove = (value: Json | undefined, [step, ...rest]: readonly string[]): Json => {
    if (Array.isArray(value)) return value.map((item: Json, i) => (String(i) === step ? remove(item, rest) : item));
    if (!isJsonObject(value)) return value ?? null;
    const { [step]: inner, ...others } = value;
    return rest.length === 0 ? others : { ...value, [step]: remove(inner, rest) };
  };
  const next = remove(request, path);
  return isJsonObject(next) ? next : request;
}

interface RefusalProps {
  readonly problem: Problem;
  readonly request: JsonObject;
  readonly onRequest: (request: JsonObject) => void;
}

function Refusal({ problem, request, onRequest }: RefusalProps) {
  const goTo = (pointer: string): void => {
    const parts = pointer.split('/');
    while (parts.length > 1) {
      const at = document.querySelector(`[data-field="${CSS.escape(parts.join('/'))}"] :is(input, select, textarea)`);
      if (at instanceof HTMLElement) {
        at.focus();
        return;
      }
      parts.pop();
    }
  };
  return (
    <div class="refusal" role="alert">
      <h2>
        {problem.title}
        {problem.status > 0 ? <span class="code"> {problem.status}</span> : null}
      </h2>
      {problem.errors.length === 0 ? <p>{problem.detail}</p> : null}
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

function Notices({ answer }: { answer: Answer }) {
  const clash = answer.conflict?.detail;
  return (
    <>
      {typeof clash === 'string' ? (
        <p class="notice clash">
          <strong>No solution exists.</strong> {clash}
        </p>
      ) : null}
      {answer.warnings.map(({ code, detail, pointer }) => (
        <p key={code + detail} class="notice" data-warning={code}>
          <strong>{pointer ?? code}</strong> {detail}
        </p>
      ))}
    </>
  );
}

const tabs = ['Pictures', 'Answer', 'Request'] as const;

interface AnswerPanelProps {
  readonly question: Question;
  readonly request: JsonObject;
  readonly shown: Shown;
  readonly onRequest: (request: JsonObject) => void;
}

export function AnswerPanel({ question, request, shown, onRequest }: AnswerPanelProps) {
  const [tab, setTab] = useState<(typeof tabs)[number]>('Pictures');
  const { answered, problem, solving, progress, elapsedMs } = shown;
  const illustrator = illustrators[question.name];
  const pictures = answered && illustrator ? illustrator.pictures(answered) : [];
  const headline = answered && illustrator?.headline && answered.answer.solution ? illustrator.headline(answered) : [];
  const sentence = answered?.answer.solution ? (readings[question.name]?.sentence(answered) ?? '') : '';
  return (
    <main class={`answer${problem ? ' refused' : ''}${solving ? ' solving' : ''}`} aria-label="Answer">
      {solving && (answered === undefined || progress) ? <Waiting progress={progress} /> : null}
      {problem ? <Refusal problem={problem} request={request} onRequest={onRequest} /> : null}
      {answered ? (
        <div class="outcome" aria-busy={solving} data-stale={problem !== undefined}>
          {sentence === '' ? null : (
            <p class="sentence">
              <Terms text={sentence} />
            </p>
          )}
          <Verdict name={question.name} answer={answered.answer} elapsedMs={elapsedMs} />
          <Notices answer={answered.answer} />
          {headline.length > 0 ? (
            <dl class="headline">
              {headline.map(([label, value]) => (
                <div key={label}>
                  <dt>
                    <Terms text={label} />
                  </dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          ) : null}
          <div class="tabs" role="tablist" aria-label="Views of the answer">
            {tabs.map((each) => (
              <button
                key={each}
                type="button"
                role="tab"
                aria-selected={each === tab}
                onClick={() => setTab(each)}
                onKeyDown={(event) => {
                  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
                  if (step === 0) return;
                  const next = (tabs.indexOf(tab) + step + tabs.length) % tabs.length;
                  setTab(tabs[next]);
                  const other = event.currentTarget.parentElement?.children[next];
                  if (other instanceof HTMLElement) other.focus();
                }}
                tabIndex={each === tab ? 0 : -1}
              >
                {each}
              </button>
            ))}
          </div>
          {tab === 'Pictures' ? <PlanView name={question.name.replace('/', '-')} answered={answered} /> : null}
          {tab === 'Pictures' ? (
            <div class="figures">
              {pictures.map((picture) => (
                <Figure key={picture.id} picture={picture} />
              ))}
            </div>
          ) : null}
          {tab === 'Answer' ? (
            <Code label="answer" value={answered.answer} file={`${question.name.replace('/', '-')}.answer.json`} />
          ) : null}
          {tab === 'Request' ? (
            <RequestEditor operation={question.name} request={request} onRequest={onRequest} />
          ) : null}
        </div>
      ) : null}
    </main>
  );
}
