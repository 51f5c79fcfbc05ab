/** What is shown of the latest solve. */
import type { Problem, Progress } from './answer.ts';
import type { Answered } from './answered.ts';

export interface Shown {
  readonly answered: Answered | undefined;
  readonly elapsedMs: number;
  readonly problem: Problem | undefined;
  readonly progress: Progress | undefined;
  readonly solving: boolean;
  /** What its pictures ask beside it is still to come. */
  readonly following: boolean;
  /** The problem is waited out: the request is sent again by itself. */
  readonly retrying: boolean;
  /** When the solve that runs was sent, by `performance.now()`. */
  readonly startedAt: number;
  /** How long the last solve had run when the reader stopped it, in milliseconds; undefined where nobody did. */
  readonly stoppedAfterMs: number | undefined;
}

export const nothingShown: Shown = {
  answered: undefined,
  elapsedMs: 0,
  problem: undefined,
  progress: undefined,
  solving: false,
  following: false,
  retrying: false,
  startedAt: 0,
  stoppedAfterMs: undefined,
};
