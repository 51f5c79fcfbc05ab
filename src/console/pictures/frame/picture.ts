/** Types of the pictures of an answer. */
import type { Exchange } from '../../api/answer.ts';
import type { JsonObject } from '../../api/json.ts';

export interface Key {
  readonly label: string;
  readonly color: string;
  readonly shape: 'line' | 'dash' | 'dot' | 'ring' | 'cross' | 'square' | 'band';
}

/** A figure: a function that draws it at a width in pixels, its title, and a note for its reader. */
export interface Picture {
  /** Stable name, in `data-picture`. */
  readonly id: string;
  readonly title: string;
  readonly note?: string | undefined;
  readonly keys?: readonly Key[];
  /** Whether the figure takes the whole width where two would fit side by side. */
  readonly isWide?: boolean;
  readonly draw: (width: number) => Element;
}

/** The pictures of one kind for an answer; empty where the answer lacks their data. */
export type Pictures = (exchange: Exchange) => readonly Picture[];

/** A further request whose answer a picture needs, sent after the first answer. */
export interface FollowUp {
  readonly key: string;
  readonly operation: string;
  readonly request: JsonObject;
}
