/** Names of time zones in requests. */
import * as z from 'zod';
import type { Refuse } from '../../contract/refusals.ts';

export const timeZoneName = z.string().min(1).max(100);

export function refuseTimeZone(timeZone: string, refuse: Refuse): void {
  const message = `must be a time zone of the IANA data base, such as Europe/Berlin; got ${timeZone}`;
  refuse(['timeZone'], 'out-of-range', message, timeZone);
}
