/** What an answer says in words: a sentence to begin with, and what its objective counts. */
import type { Answered } from '../pictures/answered.ts';

export interface Reading {
  /** The answer in one or two sentences, from its own numbers; empty where there is nothing to say. */
  readonly sentence: (answered: Answered) => string;
  /** The name of the objective's value. */
  readonly objective?: string;
  readonly unit?: string;
}
