/** What a picture is, and how an operation's pictures are asked for. */

import type { Answer } from '../api/answer.ts';
import type { JsonObject } from '../api/json.ts';
import type { Answered } from './answered.ts';

/** One entry of a legend. */
export interface Key {
  readonly label: string;
  readonly color: string;
  readonly shape: 'line' | 'dash' | 'dot' | 'ring' | 'square' | 'band' | 'gradient';
  /** The colour a gradient leads to. */
  readonly to?: string;
}

/** A figure: drawn at a width in pixels, with its title and what to know when reading it. */
export interface Picture {
  /** Stable name, in `data-picture`. */
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  readonly keys?: readonly Key[];
  /** Takes the whole width where two figures would fit side by side. */
  readonly wide?: boolean;
  readonly draw: (width: number) => Element;
}

/** A further question whose answer a picture needs, asked once the first answer is there. */
export interface FollowUp {
  readonly key: string;
  readonly operation: string;
  readonly request: JsonObject;
}

export type { Answered };

/** How the answers of an operation are drawn. */
export interface Illustrator {
  readonly followUps?: (request: JsonObject, answer: Answer) => readonly FollowUp[];
  readonly pictures: (answered: Answered) => readonly Picture[];
  /** The figures worth reading first, as label and value. */
  readonly headline?: (answered: Answered) => readonly (readonly [label: string, value: string])[];
}
