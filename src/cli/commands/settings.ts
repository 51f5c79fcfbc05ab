/** Values of a request from the command line: `--set crawls=40`, `--time-limit 30s`. */
import { durationSeconds } from '../../schemas/words/durations.ts';
import { UsageError } from '../failures.ts';

export type Setting = readonly [name: string, value: string];

/** `crawls=40`. @throws UsageError */
export function parseSetting(pair: string): Setting {
  const [, name, value] = /^([^=\s]+)=(.*)$/s.exec(pair) ?? [];
  if (name !== undefined) return [name, value];
  throw new UsageError(
    `--set must be <property>=<value>, as in crawls=40 or costs.loss=5; got ${JSON.stringify(pair)}`,
  );
}

/** A time limit in milliseconds. @throws UsageError */
export function parseTimeLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  // a bare number is in milliseconds, as in options.timeLimitMs
  const bare = /^(\d+)(?:ms)?$/.exec(text);
  const value = bare ? Number(bare[1]) : 1000 * (durationSeconds(text) ?? Number.NaN);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new UsageError(
    `--time-limit must be a time such as 30s, 2m or 500ms, or a whole number of milliseconds; got ${JSON.stringify(text)}`,
  );
}
