/** The answer to the request as it stands: sent after every change, with the follow-up questions of its pictures. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Answer, Outcome } from '../api/answer.ts';
import { askPatiently, pause } from '../api/ask-patiently.ts';
import type { JsonObject } from '../api/json.ts';
import { nothingShown, type Shown } from '../api/shown.ts';
import { solve, solvePatiently } from '../api/solve.ts';
import type { Question } from '../contract/catalogue.ts';
import { followUpsOf } from '../pictures/index.ts';

/** A pause in typing this long, and the request is sent. */
const pauseMs = 180;

/** Heard when the reader has typed another API key and pressed Enter. */
export const keyEntered = 'keyentered';

export interface Answering {
  readonly shown: Shown;
  /** Ends the solve that runs with the best it has found; where it has none, the answer before it stays. */
  readonly stop: () => void;
  readonly again: () => void;
}

/**
 * Sends the request after every change, and its follow-ups after the answer; a change stops what still runs. An answer
 * that was given with the request is shown without asking.
 */
export function useAnswer(question: Question, request: JsonObject, given: Answer | undefined): Answering {
  const [shown, setShown] = useState<Shown>(nothingShown);
  const [attempt, setAttempt] = useState(0);
  const first = useRef(true);
  const stopping = useRef<AbortController>(undefined);
  const again = useCallback(() => setAttempt((count) => count + 1), []);
  useEffect(() => {
    addEventListener(keyEntered, again);
    return () => removeEventListener(keyEntered, again);
  }, [again]);
  useEffect(() => {
    if (given !== undefined) {
      setShown({ ...nothingShown, answered: { request, answer: given, extras: new Map() } });
      return;
    }
    const leaving = new AbortController();
    const stopped = new AbortController();
    stopping.current = stopped;
    const { signal } = leaving;
    const leave = { signal, stop: stopped.signal };
    const endEarly = (): void =>
      setShown((before) => ({
        ...before,
        solving: false,
        progress: undefined,
        stoppedAfterMs: performance.now() - before.startedAt,
      }));
    const run = async (): Promise<void> => {
      const ask = (): Promise<Outcome> => {
        const startedAt = performance.now();
        setShown((before) => ({
          ...before,
          solving: true,
          retrying: false,
          stoppedAfterMs: undefined,
          startedAt,
          progress: undefined,
        }));
        return solve(question.name, request, leave, (progress) => setShown((before) => ({ ...before, progress })));
      };
      const outcome = await askPatiently(
        ask,
        (milliseconds) => pause(milliseconds, signal),
        (problem) =>
          setShown((before) => ({ ...before, problem, solving: false, retrying: true, progress: undefined })),
      );
      const { aborted: early } = stopped.signal;
      if (outcome.kind === 'problem' && early) {
        endEarly();
        return;
      }
      if (outcome.kind === 'problem') {
        setShown((before) => ({ ...before, problem: outcome.problem, solving: false, progress: undefined }));
        return;
      }
      const { answer, elapsedMs } = outcome;
      const extras = new Map<string, { request: JsonObject; answer: Answer }>();
      const followUps = followUpsOf(question.name, { request, answer, extras });
      const show = (asked: number): void =>
        setShown({
          ...nothingShown,
          following: asked < followUps.length,
          answered: { request, answer, extras: new Map(extras) },
          elapsedMs,
          stoppedAfterMs: early ? elapsedMs : undefined,
        });
      show(0);
      for (const [i, followUp] of followUps.entries()) {
        const next = await solvePatiently(followUp.operation, followUp.request, signal);
        if (next.kind === 'answer') extras.set(followUp.key, { request: followUp.request, answer: next.answer });
        show(i + 1);
      }
    };
    const ended = (): void => {
      if (stopped.signal.aborted && !signal.aborted) endEarly();
    };
    const timer = setTimeout(() => run().catch(ended), first.current ? 0 : pauseMs);
    first.current = false;
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [question, request, given, attempt]);
  const stop = useCallback(() => stopping.current?.abort(), []);
  return { shown, stop, again };
}
