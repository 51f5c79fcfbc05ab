/** What a picture is. */
import type { Exchange } from '../../api/answer.ts';
import type { JsonObject } from '../../api/json.ts';

export interface Key {
  readonly label: string;
  readonly color: string;
  readonly shape: 'line' | 'dash' | 'dot' | 'ring' | 'cross' | 'square' | 'band';
}

/** A figure: drawn at a width in pixels, with its title and what to know when reading it. */
export interface Picture {
  /** Stable name, in `data-picture`. */
  readonly id: string;
  readonly title: string;
  readonly note?: string | undefined;
  readonly keys?: readonly Key[];
  /** Takes the whole width where two figures would fit side by side. */
  readonly isWide?: boolean;
  readonly draw: (width: number) => Element;
}

/** The pictures of one kind that an answer has; none where it lacks what they show. */
export type Pictures = (exchange: Exchange) => readonly Picture[];

/** A further question whose answer a picture needs, asked once the first answer is there. */
export interface FollowUp {
  readonly key: string;
  readonly operation: string;
  readonly request: JsonObject;
}
