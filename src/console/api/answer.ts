/** The parts of the service's answers that the console reads. */

import { isRecord, type JsonObject } from './json.ts';

/** The fields that every answer has; the pictures read what an operation adds. */
export interface Answer {
  readonly status: string;
  /** The answer in words and numbers. */
  readonly summary?: string;
  readonly objective?: {
    readonly value: number;
    readonly bound: number | null;
    readonly gap: number | null;
    /** What the value measures, and its unit. */
    readonly measure?: string;
    readonly unit?: string;
  };
  readonly solution?: JsonObject;
  readonly warnings: readonly { readonly code: string; readonly detail: string; readonly pointer?: string }[];
  readonly statistics: { readonly solver: string; readonly solveMs: number };
  readonly [name: string]: unknown;
}

export const isAnswer = (value: unknown): value is Answer =>
  isRecord(value) && typeof value.status === 'string' && isRecord(value.statistics) && Array.isArray(value.warnings);

export interface Problem {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors: readonly { readonly pointer: string; readonly code: string; readonly detail: string }[];
  readonly errorCount: number;
  /** Retry-After of the refusal, ms. */
  readonly retryAfterMs?: number;
}

export interface Progress {
  readonly fraction: number | null;
  readonly incumbent: number | null;
  readonly bound: number | null;
}

export type Outcome =
  | { readonly kind: 'answer'; readonly answer: Answer; readonly elapsedMs: number }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** An answered request, with the answers of its follow-ups so far, by key. */
export interface Exchange {
  readonly request: JsonObject;
  readonly answer: Answer;
  readonly extras: ReadonlyMap<string, { readonly request: JsonObject; readonly answer: Answer }>;
}

export interface AnswerView {
  readonly exchange: Exchange | undefined;
  readonly elapsedMs: number;
  readonly problem: Problem | undefined;
  readonly progress: Progress | undefined;
  readonly isSolving: boolean;
  /** Follow-up questions of its pictures are still being solved. */
  readonly hasFollowUps: boolean;
  /** The request is sent again automatically after the wait that the problem names. */
  readonly isRetrying: boolean;
  /** When the solve that runs was sent, by `performance.now()`. */
  readonly startedAt: number;
  /** The reader has cancelled the last solve. */
  readonly isCancelled: boolean;
}

export const emptyView: AnswerView = {
  exchange: undefined,
  elapsedMs: 0,
  problem: undefined,
  progress: undefined,
  isSolving: false,
  hasFollowUps: false,
  isRetrying: false,
  startedAt: 0,
  isCancelled: false,
};
