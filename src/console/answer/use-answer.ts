/** The answer to the request as it stands: sent after every change, with the follow-up questions of its pictures. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Answer, Outcome } from '../api/answer.ts';
import { nothingShown, type Shown } from '../api/answer.ts';
import { askPatiently, pause } from '../api/ask-patiently.ts';
import type { JsonObject } from '../api/json.ts';
import { solve, solvePatiently } from '../api/solve.ts';
import type { Question } from '../contract/catalogue.ts';
import { followUpsOf } from '../pictures/index.ts';

/** A pause in typing this long, and the request is sent. */
const pauseMs = 180;

/** Heard when the reader has typed another API key and pressed Enter. */
export const keyEntered = 'keyentered';

export interface Answering {
  readonly shown: Shown;
  /** Aborts the request that runs; the answer before it stays. */
  readonly cancel: () => void;
  readonly again: () => void;
}

/** Sends the request after every change, and its follow-ups after the answer; a change aborts what still runs. */
export function useAnswer(question: Question, request: JsonObject): Answering {
  const [shown, setShown] = useState<Shown>(nothingShown);
  const [attempt, setAttempt] = useState(0);
  const first = useRef(true);
  const running = useRef<AbortController>(undefined);
  const again = useCallback(() => setAttempt((count) => count + 1), []);
  useEffect(() => {
    addEventListener(keyEntered, again);
    return () => removeEventListener(keyEntered, again);
  }, [again]);
  useEffect(() => {
    const leaving = new AbortController();
    running.current = leaving;
    const { signal } = leaving;
    const run = async (): Promise<void> => {
      const ask = (): Promise<Outcome> => {
        const begun = { solving: true, retrying: false, cancelled: false, progress: undefined };
        setShown((before) => ({ ...before, ...begun, startedAt: performance.now() }));
        return solve(question.name, request, signal, (progress) => setShown((before) => ({ ...before, progress })));
      };
      const outcome = await askPatiently(
        ask,
        (milliseconds) => pause(milliseconds, signal),
        (problem) =>
          setShown((before) => ({ ...before, problem, solving: false, retrying: true, progress: undefined })),
      );
      if (outcome.kind === 'problem') {
        setShown((before) => ({ ...before, problem: outcome.problem, solving: false, progress: undefined }));
        return;
      }
      const { answer, elapsedMs } = outcome;
      const extras = new Map<string, { request: JsonObject; answer: Answer }>();
      const followUps = followUpsOf(question.name, { request, answer, extras });
      const show = (count: number): void =>
        setShown({
          ...nothingShown,
          following: count < followUps.length,
          answered: { request, answer, extras: new Map(extras) },
          elapsedMs,
        });
      show(0);
      for (const [i, followUp] of followUps.entries()) {
        const next = await solvePatiently(followUp.operation, followUp.request, signal);
        if (next.kind === 'answer') extras.set(followUp.key, { request: followUp.request, answer: next.answer });
        show(i + 1);
      }
    };
    const timer = setTimeout(() => run().catch(() => undefined), first.current ? 0 : pauseMs);
    first.current = false;
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [question, request, attempt]);
  const cancel = useCallback(() => {
    running.current?.abort();
    setShown((before) => ({ ...before, solving: false, following: false, progress: undefined, cancelled: true }));
  }, []);
  return { shown, cancel, again };
}
