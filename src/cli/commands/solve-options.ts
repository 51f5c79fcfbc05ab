/** The options of `<operation>`. */
import { durationSeconds } from '../../schemas/words/durations.ts';
import { UsageError } from '../failures.ts';
import { flag, text, texts } from '../options.ts';

/** What every operation takes beside its files. */
export const solveOptions = {
  format: text('table|csv|json', 'how answers are written (default: a table on a terminal, JSON in a pipe)'),
  set: texts('<property>=<value>', 'change the request: crawls=40, interval=6h, now=2026-06-11, costs.loss=5'),
  'time-limit': text(
    '<time>',
    '30s, 2m or milliseconds, for requests without options.timeLimitMs (default: DEFAULT_TIME_LIMIT_MS)',
  ),
  strict: flag('exit with 5 when an answer is feasible but not proved optimal'),
  'validate-only': flag('check the requests and estimate their work without solving'),
  pretty: flag('JSON, indented; or --no-pretty'),
  progress: flag('a progress bar on stderr (default: when it is a terminal); or --no-progress'),
  example: flag('print a request to start from; --example <name>: another one'),
} as const;

/** A time limit in milliseconds. @throws UsageError */
export function milliseconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  // A bare number is milliseconds, as in options.timeLimitMs; with a unit it is what people say.
  const bare = /^(\d+)(?:ms)?$/.exec(text);
  const value = bare ? Number(bare[1]) : 1000 * (durationSeconds(text) ?? Number.NaN);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new UsageError(
    `--time-limit must be a time such as 30s, 2m or 500ms, or a whole number of milliseconds; got ${JSON.stringify(text)}`,
  );
}
