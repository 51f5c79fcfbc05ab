/** Epoch seconds as dates in the local time zone. */
import { duration, figure } from '../../schemas/words/numbers.ts';

const withDay = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });

/** `Jun 11, 14:05`. */
export const dateTime = (epochSeconds: number): string =>
  Number.isFinite(epochSeconds) ? withDay.format(epochSeconds * 1000) : '–';

/** `14:05`, and at midnight `Jun 11`. */
export function tickDate(date: Date): string {
  const text = clock.format(date);
  return text === '00:00' ? day.format(date) : text;
}

/** The zone these dates are in, e.g. `Europe/Paris`. */
export const localTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A duration in milliseconds as text. */
export const durationText = (ms: number): string => (ms < 1000 ? `${figure(ms, 3)} ms` : duration(ms / 1000));
