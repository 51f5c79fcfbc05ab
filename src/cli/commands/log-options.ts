/** The options of `plan`, `import` and `compare`, and their conversion to the query parameters of the HTTP service. */
import type { QueryPairs } from '../../logs/requests/log-request.ts';
import { durationSeconds } from '../../schemas/words/durations.ts';
import { UsageError } from '../failures.ts';
import { type Options, rareOption, textOption, textsOption } from '../options.ts';
import { parseSetting, parseTimeLimit } from './settings.ts';

export const optionsPage = 'docs/command-line.md#options';

/** Options for reading a log. */
export const logOptions = {
  format: textOption('<name>', 'the format of the log (default: recognised)'),
  map: rareOption(
    textsOption('<field>=<column>', 'which column is page, time, status, signature, lastModified, changed or weight'),
  ),
  zone: rareOption(textOption('<zone>', 'time zone of times without one: UTC (default), +02:00, Europe/Berlin')),
  agent: rareOption(textOption('<text>', 'of an access log, only lines whose user agent contains this')),
  base: rareOption(textOption('<url>', 'what to put before the paths of an access log')),
  signature: rareOption(textOption('bytes', 'tell changes in an access log by the number of bytes')),
  fragments: rareOption(
    textOption('keep', 'URLs that differ behind # are different pages, as in applications that route by it'),
  ),
} as const;

/** Options that are properties of the request. */
const requestOptions = {
  crawls: textOption('<n>', 'how many fetches can be made in the interval'),
  freshness: textOption('<share>', 'or the fewest that keep copies current for this share of the time: 0.95'),
  'mean-delay': rareOption(
    textOption('<time>', 'or the fewest with which a change waits at most this long on average'),
  ),
  interval: textOption('<time>', 'how far ahead to plan: 3600, 90m, 6h, 1d, 2w (default 1d)'),
  now: rareOption(textOption('<moment>', 'when the interval starts (default: this moment)')),
  'min-interval': rareOption(textOption('<time>', 'least time between two fetches of a page')),
  'max-interval': textOption('<time>', 'most time between two fetches of a page'),
  'host-delay': textOption('<time>', 'least time between two fetches of a host'),
  objective: rareOption(textOption('<name>', 'what staleness costs: freshness (default), delay, harmonic')),
  'even-share': rareOption(textOption('<share>', 'share of the fetches spread evenly over all pages (default 0.05)')),
} as const;

export const planOptions = {
  ...requestOptions,
  'time-limit': rareOption(textOption('<limit>', '30s, 2m or milliseconds')),
  set: rareOption(textsOption('<name>=<value>', 'any other value of the request: timeZone=Europe/Paris')),
  sitemap: textsOption('<path>', 'a sitemap, or a folder of their snapshots in time'),
} as const;

interface Values {
  readonly [option: string]: string | boolean | string[] | undefined;
  readonly set?: string[] | undefined;
  readonly 'time-limit'?: string | undefined;
}

/** `--min-interval 6h` becomes `minInterval=6h`; --set takes precedence. @throws UsageError */
export function queryOf(values: Values): QueryPairs {
  const options: Options = { ...logOptions, ...requestOptions };
  const pairs = Object.entries(options).flatMap(([option, { value: kind }]) =>
    [values[option] ?? []].flat().map((optionValue): [string, string] => {
      const word = String(optionValue);
      if (kind === '<time>' && durationSeconds(word) === undefined) {
        throw new UsageError(`--${option} must be a time such as 3600, 90m, 6h, 1d or 2w; got ${JSON.stringify(word)}`);
      }
      return [option.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()), word];
    }),
  );
  const limit = parseTimeLimit(values['time-limit']);
  if (limit !== undefined) pairs.push(['options.timeLimitMs', String(limit)]);
  return [...pairs, ...(values.set ?? []).map(parseSetting)];
}
