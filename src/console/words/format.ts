/** Shares and the times of solves, for people. */
import { figure } from '../../words/numbers.ts';

export const percent = (value: number | null | undefined, digits = 3): string =>
  value === null || value === undefined || Number.isNaN(value) ? '–' : `${figure(100 * value, digits)}%`;

/** How long something took or will take, given in milliseconds. */
export const elapsed = (ms: number): string =>
  ms < 1000 ? `${figure(ms, 3)} ms` : ms < 60_000 ? `${figure(ms / 1000, 3)} s` : `${figure(ms / 60_000, 3)} min`;
