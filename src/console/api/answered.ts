/** An answer with what it answers. */
import type { Answer } from './answer.ts';
import type { JsonObject } from './json.ts';

/** An answered request, with the answers of its follow-ups so far, by key. */
export interface Answered {
  readonly request: JsonObject;
  readonly answer: Answer;
  readonly extras: ReadonlyMap<string, { readonly request: JsonObject; readonly answer: Answer }>;
}
