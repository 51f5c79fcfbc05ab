/** The answer: how good it is, its figures and pictures, and both sides of the exchange as text. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { verifyClaim } from '../../schemas/words/verify-claim.ts';
import type { JsonObject } from '../api/json.ts';
import { number } from '../api/read.ts';
import { firstFields } from '../contract/answer-fields.ts';
import type { Question } from '../contract/catalogue.ts';
import { valueText } from '../contract/meaning.ts';
import { boughtAlong, boughtPicture } from '../pictures/curves/bought-by-crawls.ts';
import { Figure } from '../pictures/frame/figure.tsx';
import type { Picture } from '../pictures/frame/picture.ts';
import { followUpsOf, picturesOf } from '../pictures/index.ts';
import { PlanView } from '../pictures/plan-view.tsx';
import { resultTable } from '../pictures/table/result-table.ts';
import { WhatIf } from '../whatif/what-if.tsx';
import { Terms } from '../words/terms.tsx';
import { Code, Texts, textsOf } from './code.tsx';
import { Notices, Refusal } from './refusal.tsx';
import { RequestEditor } from './request-editor.tsx';
import type { Answering } from './use-answer.ts';
import { Verdict } from './verdict.tsx';
import { Cancelled, Waiting } from './waiting.tsx';

const allTabs = ['Pictures', 'Answer', 'Request'] as const;
type Tab = (typeof allTabs)[number];

interface AnswerPanelProps {
  readonly question: Question;
  readonly request: JsonObject;
  readonly answering: Answering;
  readonly onRequest: (request: JsonObject) => void;
}

interface TabsProps {
  readonly tabs: readonly Tab[];
  readonly tab: Tab;
  readonly onTab: (tab: Tab) => void;
}

function Tabs({ tabs, tab, onTab }: TabsProps) {
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

export function AnswerPanel({ question, request, answering, onRequest }: AnswerPanelProps) {
  const [chosen, setTab] = useState<Tab>('Pictures');
  const { shown, cancel, again } = answering;
  const { answered, problem, solving, following, retrying, progress, elapsedMs, cancelled } = shown;
  const { name } = question;
  // Worked out once an answer: progress is reported many times a second.
  const { bought, expected, pictures, headline, tabs } = useMemo(() => {
    const solved = answered?.answer.solution ? answered : undefined;
    const all = answered ? picturesOf(answered) : [];
    const isDrawn =
      answered !== undefined &&
      (all.length > 0 || textsOf(answered.answer).length > 0 || resultTable(question, answered) !== undefined);
    return {
      tabs: allTabs.filter((each) => each !== 'Pictures' || isDrawn),
      bought: all.find(({ id }) => id === boughtPicture),
      expected: solved !== undefined && followUpsOf(name, solved).some(({ key }) => key === 'bought'),
      pictures: all.filter(({ id }) => id !== boughtPicture),
      headline: solved ? firstFields(question.answer(), solved.answer) : [],
    };
  }, [question, name, answered]);
  const tab = tabs.includes(chosen) ? chosen : tabs[0];
  const sentence = answered?.answer.summary ?? '';
  const isOld = answered !== undefined && answered.request !== request;
  // Its place is kept while it may still come.
  const coming = expected && (following || isOld);
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
      {solving && (answered === undefined || progress || isOld) ? <Waiting shown={shown} onCancel={cancel} /> : null}
      {cancelled ? <Cancelled onAgain={again} /> : null}
      {problem ? <Refusal problem={problem} retrying={retrying} onAgain={again} /> : null}
      {answered ? (
        <div class="outcome" aria-busy={solving} data-stale={problem !== undefined || isOld}>
          {sentence === '' ? null : (
            <p class="sentence">
              <Terms text={sentence} />
            </p>
          )}
          <Verdict answered={answered} elapsedMs={elapsedMs} />
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
            drawnAlong={bought !== undefined || coming ? boughtAlong(request) : undefined}
            onRequest={onRequest}
          />
          <Tabs tabs={tabs} tab={tab} onTab={setTab} />
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
              <>
                <Code label="answer" value={answered.answer} file={`${name.replace('/', '-')}.answer.json`} />
                <p class="about" data-claim>
                  Save it and its request to check it:{' '}
                  <code>crawl-optimizer verify request.json {name.replace('/', '-')}.answer.json</code>. {verifyClaim}
                </p>
              </>
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

interface BoughtProps {
  readonly picture: Picture | undefined;
  /** Whether it is on its way: its place is then kept, so that the slider below does not move under a finger. */
  readonly expected: boolean;
}

export function Bought({ picture, expected }: BoughtProps) {
  const place = useRef<HTMLDivElement>(null);
  const height = useRef(0);
  useLayoutEffect(() => {
    if (picture !== undefined) height.current = place.current?.offsetHeight ?? 0;
  });
  if (picture === undefined && !expected) return null;
  return (
    <div class="figures" ref={place} style={{ minHeight: `${picture === undefined ? height.current : 0}px` }}>
      {picture && <Figure picture={picture} />}
    </div>
  );
}
