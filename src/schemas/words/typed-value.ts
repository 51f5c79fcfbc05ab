import { durationSeconds, momentSeconds } from './durations.ts';

/** A value as it is typed: JSON, a duration, a moment, or a word. */
export function typedValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return durationSeconds(text) ?? momentSeconds(text) ?? text;
  }
}
