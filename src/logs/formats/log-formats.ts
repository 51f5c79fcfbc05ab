/** The list of log formats, and their detection. */

import { FetchCollector } from '../fetch-collector.ts';
import { LogRefusal } from '../log-record.ts';
import { accessLog } from './access-log.ts';
import { browsertrix } from './browsertrix.ts';
import { cdx } from './cdx.ts';
import { normaliseName } from './columns.ts';
import { feeds } from './feeds.ts';
import type { LogBeginning, LogFormat } from './format.ts';
import { heritrix } from './heritrix.ts';
import { nutch } from './nutch.ts';
import { columnNames, delimitedText, jsonLog, recordSeparator } from './rows.ts';
import { stormCrawler } from './storm-crawler.ts';
import { warc } from './warc.ts';

/** In order of detection: the first that recognises a log's beginning reads it. */
export const logFormats: readonly LogFormat[] = [
  warc,
  nutch,
  heritrix,
  cdx,
  accessLog,
  stormCrawler,
  browsertrix,
  feeds,
  jsonLog,
  delimitedText,
];

/** Characters of a log examined to detect its format. */
export const sniffLength = 64 * 1024;

/** Number of later lines at which detection begins again, if the first line has no known format. */
const sampleLines = 20;

function beginningOf(text: string): LogBeginning {
  let names: ReadonlySet<string> | undefined;
  return {
    text,
    line: /^\s*(.*)/.exec(text)?.[1].trimEnd().replace(recordSeparator, '') ?? '',
    get names() {
      names ??= new Set(columnNames(text).map((name) => normaliseName(name.slice(name.lastIndexOf('.') + 1))));
      return names;
    },
  };
}

/** Detects the format of a log from its beginning. */
export function detectFormat(text: string): LogFormat | undefined {
  const beginning = text.slice(0, sniffLength).replace(/^\ufeff/, '');
  const whole = beginningOf(beginning);
  const match = logFormats.find((format) => format.recognises(whole));
  if (match !== undefined && readsMost(match, beginning)) return match;
  const laterBeginnings = laterLines(beginning).map(beginningOf);
  const otherFormats = logFormats.filter(
    (format) => format !== match && laterBeginnings.some((laterBeginning) => format.recognises(laterBeginning)),
  );
  return otherFormats.find((format) => readsMost(format, beginning)) ?? match;
}

/** The beginning from its second line on, from its third, and so on. */
function laterLines(beginning: string): string[] {
  const rests: string[] = [];
  for (let at = beginning.indexOf('\n'); at >= 0 && rests.length < sampleLines; at = beginning.indexOf('\n', at + 1)) {
    rests.push(beginning.slice(at + 1));
  }
  return rests;
}

/** Whether a format can read most of the beginning. */
function readsMost(format: LogFormat, beginning: string): boolean {
  const fetches = new FetchCollector({});
  try {
    const reader = format.open({ base: 'http://x.example', signature: 'bytes' }, fetches);
    reader.push(beginning);
    reader.end();
  } catch (error) {
    if (!(error instanceof LogRefusal)) throw error;
  }
  return fetches.recordCount > fetches.faults;
}
