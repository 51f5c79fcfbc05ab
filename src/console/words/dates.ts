/** Epoch seconds as the dates of the reader's own zone. */
import { figure } from '../../schemas/words/numbers.ts';

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
export function tickDate(epochSeconds: number): string {
  const text = clock.format(epochSeconds * 1000);
  return text === '00:00' ? day.format(epochSeconds * 1000) : text;
}

/** The zone these dates are in, e.g. `Europe/Paris`. */
export const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400];

/** Moments at whole minutes, hours or days of the reader's zone, at most `most` of them. */
export function dateTicks(from: number, to: number, most: number): number[] {
  const rough = (to - from) / Math.max(1, most);
  const step = steps.find((each) => each >= rough) ?? Math.ceil(rough / 86_400) * 86_400;
  const offset = new Date(from * 1000).getTimezoneOffset() * 60;
  const ticks: number[] = [];
  for (let at = Math.ceil((from - offset) / step) * step + offset; at <= to; at += step) ticks.push(at);
  return ticks;
}

export const percent = (value: number | null | undefined, digits = 3): string =>
  value === null || value === undefined || Number.isNaN(value) ? '–' : `${figure(100 * value, digits)}%`;

/** How long something took or will take, given in milliseconds. */
export const elapsed = (ms: number): string =>
  ms < 1000 ? `${figure(ms, 3)} ms` : ms < 60_000 ? `${figure(ms / 1000, 3)} s` : `${figure(ms / 60_000, 3)} min`;
