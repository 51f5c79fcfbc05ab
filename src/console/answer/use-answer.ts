/** The answer to the request as it stands: sent after every change, with the follow-up questions of its pictures. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Answer, Outcome } from '../api/answer.ts';
import { type AnswerView, emptyView } from '../api/answer.ts';
import { pause, retryWhileBusy } from '../api/ask-patiently.ts';
import type { JsonObject } from '../api/json.ts';
import { solve, solveWithRetries } from '../api/service.ts';
import type { Question } from '../contract/catalogue.ts';
import { followUpsOf } from '../pictures/index.ts';

/** Pause in typing after which the request is sent, ms. */
const pauseMs = 180;

/** Fields of the view while no solve runs. */
const idleState = { isSolving: false, progress: undefined } satisfies Partial<AnswerView>;

/** Event on the window: the reader has typed another API key and pressed Enter. */
export const keyEnteredEvent = 'keyentered';

export interface LiveAnswer {
  readonly view: AnswerView;
  /** Aborts the running request; the previous answer stays on display. */
  readonly cancel: () => void;
  readonly retry: () => void;
}

/** Sends the request after every change, and its follow-ups after the answer; a change aborts the running ones. */
export function useAnswer(question: Question, request: JsonObject): LiveAnswer {
  const [view, setView] = useState<AnswerView>(emptyView);
  const [attempt, setAttempt] = useState(0);
  const first = useRef(true);
  const currentRun = useRef<AbortController>(undefined);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  useEffect(() => {
    addEventListener(keyEnteredEvent, retry);
    return () => removeEventListener(keyEnteredEvent, retry);
  }, [retry]);
  useEffect(() => {
    const controller = new AbortController();
    currentRun.current = controller;
    const { signal } = controller;
    const run = async (): Promise<void> => {
      const ask = (): Promise<Outcome> => {
        const startState = { isSolving: true, isRetrying: false, isCancelled: false, progress: undefined };
        setView((previous) => ({ ...previous, ...startState, startedAt: performance.now() }));
        return solve(question.name, request, signal, (progress) => setView((previous) => ({ ...previous, progress })));
      };
      const outcome = await retryWhileBusy(
        ask,
        (milliseconds) => pause(milliseconds, signal),
        (problem) => setView((previous) => ({ ...previous, ...idleState, problem, isRetrying: true })),
      );
      if (outcome.kind === 'problem') {
        setView((previous) => ({ ...previous, ...idleState, problem: outcome.problem }));
        return;
      }
      const { answer, elapsedMs } = outcome;
      const extras = new Map<string, { request: JsonObject; answer: Answer }>();
      const followUps = followUpsOf(question.name, { request, answer, extras });
      const show = (count: number): void =>
        setView({
          ...emptyView,
          hasFollowUps: count < followUps.length,
          exchange: { request, answer, extras: new Map(extras) },
          elapsedMs,
        });
      show(0);
      for (const [i, followUp] of followUps.entries()) {
        const next = await solveWithRetries(followUp.operation, followUp.request, signal);
        if (next.kind === 'answer') extras.set(followUp.key, { request: followUp.request, answer: next.answer });
        show(i + 1);
      }
    };
    const timer = setTimeout(() => run().catch(() => undefined), first.current ? 0 : pauseMs);
    first.current = false;
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [question, request, attempt]);
  const cancel = useCallback(() => {
    currentRun.current?.abort();
    setView((previous) => ({ ...previous, ...idleState, hasFollowUps: false, isCancelled: true }));
  }, []);
  return { view, cancel, retry };
}
