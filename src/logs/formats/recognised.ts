/** The formats of crawl logs, and which one a text has. */
import { accessLog } from './access-log.ts';
import { browsertrix } from './browsertrix.ts';
import { cdx } from './cdx.ts';
import { delimited } from './delimited.ts';
import type { LogFormat } from './format.ts';
import { heritrix } from './heritrix.ts';
import { jsonLog } from './json-rows.ts';
import { nutch } from './nutch.ts';
import { stormCrawler } from './storm-crawler.ts';
import { warc } from './warc.ts';

/** In this order: the first that recognises a log's beginning reads it. */
export const logFormats: readonly LogFormat[] = [
  warc,
  nutch,
  heritrix,
  cdx,
  accessLog,
  stormCrawler,
  browsertrix,
  jsonLog,
  delimited,
];

/** How much of a log is looked at to tell its format. */
export const sniffedLength = 64 * 1024;

/** The format of a log, by its beginning. */
export function recognised(text: string): LogFormat | undefined {
  const beginning = text.slice(0, sniffedLength).replace(/^\ufeff/, '');
  return logFormats.find((format) => format.recognises(beginning));
}
