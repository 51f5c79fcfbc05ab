/** The answer to the request as it stands: sent after every change, with the follow-up questions of its pictures. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../api/json.ts';
import type { Question } from '../api/openapi.ts';
import { type Answer, type Problem, type Progress, solve } from '../api/solve.ts';
import { illustrators } from '../pictures/index.ts';
import type { Answered } from '../pictures/picture.ts';

/** What is shown of the latest solve. */
export interface Shown {
  readonly answered: Answered | undefined;
  readonly elapsedMs: number;
  readonly problem: Problem | undefined;
  readonly progress: Progress | undefined;
  readonly solving: boolean;
}

const nothing: Shown = { answered: undefined, elapsedMs: 0, problem: undefined, progress: undefined, solving: false };

/** A pause in typing this long, and the request is sent. */
const pauseMs = 180;

/** Sends the request after every change, and its follow-ups after the answer; a change stops what still runs. */
export function useAnswer(question: Question, request: JsonObject): Shown {
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
