/** The answer: how good it is, its figures and pictures, and both sides of the exchange as text. */
import { useMemo, useState } from 'preact/hooks';
import type { Answered } from '../api/answered.ts';
import type { JsonObject } from '../api/json.ts';
import { number, rowCount } from '../api/read.ts';
import { firstFields } from '../contract/answer-fields.ts';
import type { Question } from '../contract/catalogue.ts';
import { valueText } from '../contract/meaning.ts';
import { boughtAlong } from '../pictures/curves/bought-along.ts';
import { boughtPicture } from '../pictures/curves/bought-by-crawls.ts';
import { Figure } from '../pictures/frame/figure.tsx';
import { followUpsOf, picturesOf } from '../pictures/index.ts';
import { PlanView } from '../pictures/plan-view.tsx';
import { Comparison } from '../whatif/comparison.tsx';
import { differences, placeInWords } from '../whatif/differences.ts';
import { WhatIf } from '../whatif/what-if.tsx';
import { Terms } from '../words/terms.tsx';
import { Bought } from './bought.tsx';
import { Code } from './code.tsx';
import { Notices } from './notices.tsx';
import { Refusal } from './refusal.tsx';
import { RequestEditor } from './request-editor.tsx';
import { Texts } from './texts.tsx';
import type { Answering } from './use-answer.ts';
import { Verdict } from './verdict.tsx';
import { Stopped, Waiting } from './waiting.tsx';

const tabs = ['Pictures', 'Answer', 'Request'] as const;
type Tab = (typeof tabs)[number];

interface AnswerPanelProps {
  readonly question: Question;
  readonly request: JsonObject;
  readonly answering: Answering;
  readonly pinned: Answered | undefined;
  /** The file an answer was opened from, where it was not computed now. */
  readonly file: string | undefined;
  readonly onRequest: (request: JsonObject) => void;
  readonly onPin: (answered: Answered | undefined) => void;
}

function Tabs({ tab, onTab }: { tab: Tab; onTab: (tab: Tab) => void }) {
  return (
    <div class="tabs" role="tablist" aria-label="Views of the answer">
      {tabs.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          id={`tab-${each}`}
          aria-controls={each === tab ? 'tab-panel' : undefined}
          aria-selected={each === tab}
          onClick={() => onTab(each)}
          onKeyDown={(event) => {
            const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
            if (step === 0) return;
            const next = (tabs.indexOf(tab) + step + tabs.length) % tabs.length;
            onTab(tabs[next]);
            const other = event.currentTarget.parentElement?.children[next];
            if (other instanceof HTMLElement) other.focus();
          }}
          tabIndex={each === tab ? 0 : -1}
        >
          {each}
        </button>
      ))}
    </div>
  );
}

/** What an answer that is no longer the request's was asked with. */
function Asked({ answered, request }: { answered: Answered; request: JsonObject }) {
  const changed = differences(answered.request, request, 3);
  return (
    <p class="asked" data-asked>
      <span>
        The answer to{' '}
        {changed.map(({ pointer, before, after }) => `${placeInWords(pointer)} ${before} (now ${after})`).join(', ')}
      </span>
    </p>
  );
}

/** Whether the lists of the answer are as long as those of the request: an answer from a file may be to another one. */
function isOfRequest({ request, answer }: Answered): boolean {
  return Object.entries(answer.solution ?? {}).every(([name, list]) => {
    const [rows, asked] = [rowCount(list), rowCount(request[name])];
    return rows === 0 || asked === 0 || rows === asked;
  });
}

export function AnswerPanel({ question, request, answering, pinned, file, onRequest, onPin }: AnswerPanelProps) {
  const [tab, setTab] = useState<Tab>('Pictures');
  const { shown, stop, again } = answering;
  const { answered, problem, solving, following, retrying, progress, elapsedMs, stoppedAfterMs } = shown;
  const { name } = question;
  // Worked out once an answer: progress is reported many times a second.
  const { drawn, bought, expected, pictures, headline } = useMemo(() => {
    const own = answered && (file === undefined || isOfRequest(answered)) ? answered : undefined;
    const solved = own?.answer.solution ? own : undefined;
    const all = own ? picturesOf(own) : [];
    return {
      drawn: own,
      bought: all.find(({ id }) => id === boughtPicture),
      expected: solved !== undefined && followUpsOf(name, solved).some(({ key }) => key === 'bought'),
      pictures: all.filter(({ id }) => id !== boughtPicture),
      headline: solved ? firstFields(question.answer(), solved.answer) : [],
    };
  }, [question, name, answered, file]);
  const sentence = drawn?.answer.summary ?? '';
  const isOld = answered !== undefined && answered.request !== request;
  // Its place is kept while it may still come.
  const coming = expected && (following || isOld);
  const asked = isOld ? <Asked answered={answered} request={request} /> : null;
  return (
    <main
      id="answer"
      class={`answer${problem ? ' refused' : ''}${solving ? ' solving' : ''}`}
      aria-label="Answer"
      tabIndex={-1}
    >
      <button
        type="button"
        class="to-request"
        onClick={() => document.querySelector('.ask')?.scrollIntoView({ behavior: 'smooth' })}
      >
        Change the request ↓
      </button>
      <h2 class="unseen">Answer</h2>
      <p class="unseen" role="status">
        {solving ? 'Solving' : problem ? '' : `${answered?.answer.status ?? ''} ${sentence}`}
      </p>
      {solving && (answered === undefined || progress || isOld) ? <Waiting shown={shown} onStop={stop} /> : null}
      {stoppedAfterMs === undefined ? null : (
        <Stopped
          afterMs={stoppedAfterMs}
          request={request}
          below={answered === undefined ? 'nothing' : isOld ? 'earlier' : 'best'}
          onRequest={onRequest}
          onAgain={again}
        />
      )}
      {problem ? (
        <Refusal problem={problem} retrying={retrying} request={request} onRequest={onRequest} onAgain={again} />
      ) : null}
      {file === undefined ? null : (
        <p class="notice" data-file={file}>
          <strong>The answer in {file}.</strong>{' '}
          {drawn
            ? 'It is drawn with the request beside it; the first change asks the service again.'
            : 'It answers another request than the one beside it, so that only its own numbers are shown.'}
        </p>
      )}
      {asked}
      {answered ? (
        <div class="outcome" aria-busy={solving} data-stale={problem !== undefined || isOld}>
          {sentence === '' ? null : (
            <p class="sentence">
              <Terms text={sentence} />
            </p>
          )}
          <Verdict answer={answered.answer} elapsedMs={elapsedMs} />
          <Notices answer={answered.answer} />
          {headline.length > 0 ? (
            <dl class="headline">
              {headline.map(({ path, meaning }) => (
                <div key={path.join('/')}>
                  <dt>
                    <Terms text={meaning.label} />
                  </dt>
                  <dd>{valueText(number(answered.answer, ...path), meaning)}</dd>
                </div>
              ))}
            </dl>
          ) : null}
          <Bought picture={bought} expected={coming} />
          <WhatIf
            question={question}
            request={request}
            shown={shown}
            pinned={pinned}
            drawnAlong={bought !== undefined || coming ? boughtAlong(request) : undefined}
            onRequest={onRequest}
            onPin={onPin}
          />
          {pinned === undefined ? null : (
            <Comparison
              pinned={pinned}
              answered={answered}
              question={question}
              onBack={() => onRequest(pinned.request)}
            />
          )}
          <Tabs tab={tab} onTab={setTab} />
          <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`}>
            {tab === 'Pictures' ? (
              <>
                <PlanView question={question} answered={answered} />
                <div class="figures">
                  <Texts answer={answered.answer} />
                  {pictures.map((picture) => (
                    <Figure key={picture.id} picture={picture} />
                  ))}
                </div>
              </>
            ) : null}
            {tab === 'Answer' ? (
              <Code label="answer" value={answered.answer} file={`${name.replace('/', '-')}.answer.json`} />
            ) : null}
            {tab === 'Request' ? <RequestEditor operation={name} request={request} onRequest={onRequest} /> : null}
          </div>
        </div>
      ) : null}
      {answered === undefined && !solving && problem ? (
        <RequestEditor operation={name} request={request} onRequest={onRequest} />
      ) : null}
    </main>
  );
}
