/** The answer: how good it is, its figures and pictures, and both sides of the exchange as text. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { verifyClaim } from '../../schemas/words/verify-claim.ts';
import type { JsonObject } from '../api/json.ts';
import { numberAt } from '../api/read.ts';
import { firstFields } from '../contract/answer-fields.ts';
import type { Question } from '../contract/catalogue.ts';
import { valueText } from '../contract/meaning.ts';
import { crawlsCurveName, crawlsParameter } from '../pictures/curves/crawls-curve.ts';
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
import type { LiveAnswer } from './use-answer.ts';
import { Verdict } from './verdict.tsx';
import { CancelNotice, SolveProgress } from './waiting.tsx';

const allTabs = ['Pictures', 'Answer', 'Request'] as const;
type Tab = (typeof allTabs)[number];

interface AnswerPanelProps {
  readonly question: Question;
  readonly request: JsonObject;
  readonly liveAnswer: LiveAnswer;
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
            const nextTab = event.currentTarget.parentElement?.children[next];
            if (nextTab instanceof HTMLElement) nextTab.focus();
          }}
          tabIndex={each === tab ? 0 : -1}
        >
          {each}
        </button>
      ))}
    </div>
  );
}

export function AnswerPanel({ question, request, liveAnswer, onRequest }: AnswerPanelProps) {
  const [selectedTab, setTab] = useState<Tab>('Pictures');
  const { view, cancel, retry } = liveAnswer;
  const { exchange, problem, isSolving, hasFollowUps, isRetrying, progress, elapsedMs, isCancelled } = view;
  const { name } = question;
  // Computed once for each answer: progress re-renders this many times a second.
  const {
    bought: curvePicture,
    expected: expectsCurve,
    pictures,
    headline,
    tabs,
  } = useMemo(() => {
    const solvedExchange = exchange?.answer.solution ? exchange : undefined;
    const allPictures = exchange ? picturesOf(exchange) : [];
    const isDrawn =
      exchange !== undefined &&
      (allPictures.length > 0 || textsOf(exchange.answer).length > 0 || resultTable(question, exchange) !== undefined);
    return {
      tabs: allTabs.filter((each) => each !== 'Pictures' || isDrawn),
      bought: allPictures.find(({ id }) => id === crawlsCurveName),
      expected: solvedExchange !== undefined && followUpsOf(name, solvedExchange).some(({ key }) => key === 'bought'),
      pictures: allPictures.filter(({ id }) => id !== crawlsCurveName),
      headline: solvedExchange ? firstFields(question.answer(), solvedExchange.answer) : [],
    };
  }, [question, name, exchange]);
  const tab = tabs.includes(selectedTab) ? selectedTab : tabs[0];
  const sentence = exchange?.answer.summary ?? '';
  const isOld = exchange !== undefined && exchange.request !== request;
  // An empty frame keeps the room of a curve that is still being computed.
  const isCurveComing = expectsCurve && (hasFollowUps || isOld);
  return (
    <main
      id="answer"
      class={`answer${problem ? ' refused' : ''}${isSolving ? ' solving' : ''}`}
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
        {isSolving ? 'Solving' : problem ? '' : `${exchange?.answer.status ?? ''} ${sentence}`}
      </p>
      {isSolving && (exchange === undefined || progress || isOld) ? (
        <SolveProgress view={view} onCancel={cancel} />
      ) : null}
      {isCancelled ? <CancelNotice onRetry={retry} /> : null}
      {problem ? <Refusal problem={problem} isRetrying={isRetrying} onRetry={retry} /> : null}
      {exchange ? (
        <div class="outcome" aria-busy={isSolving} data-stale={problem !== undefined || isOld}>
          {sentence === '' ? null : (
            <p class="sentence">
              <Terms text={sentence} />
            </p>
          )}
          <Verdict exchange={exchange} elapsedMs={elapsedMs} />
          <Notices answer={exchange.answer} />
          {headline.length > 0 ? (
            <dl class="headline">
              {headline.map(({ path, meaning }) => (
                <div key={path.join('/')}>
                  <dt>
                    <Terms text={meaning.label} />
                  </dt>
                  <dd>{valueText(numberAt(exchange.answer, ...path), meaning)}</dd>
                </div>
              ))}
            </dl>
          ) : null}
          <CurveFigure picture={curvePicture} expected={isCurveComing} />
          <WhatIf
            question={question}
            request={request}
            view={view}
            curveAlong={curvePicture !== undefined || isCurveComing ? crawlsParameter(request) : undefined}
            onRequest={onRequest}
          />
          <Tabs tabs={tabs} tab={tab} onTab={setTab} />
          <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`}>
            {tab === 'Pictures' ? (
              <>
                <PlanView question={question} exchange={exchange} />
                <div class="figures">
                  <Texts answer={exchange.answer} />
                  {pictures.map((picture) => (
                    <Figure key={picture.id} picture={picture} />
                  ))}
                </div>
              </>
            ) : null}
            {tab === 'Answer' ? (
              <>
                <Code label="answer" value={exchange.answer} file={`${name.replace('/', '-')}.answer.json`} />
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
      {exchange === undefined && !isSolving && problem ? (
        <RequestEditor operation={name} request={request} onRequest={onRequest} />
      ) : null}
    </main>
  );
}

interface CurveFigureProps {
  readonly picture: Picture | undefined;
  /** Whether the curve is still being computed; an empty frame keeps its room, so the slider below does not move. */
  readonly expected: boolean;
}

function CurveFigure({ picture, expected }: CurveFigureProps) {
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
