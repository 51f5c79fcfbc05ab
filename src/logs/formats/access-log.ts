/**
 * Access logs, common or combined, of nginx, Apache and others, also behind what syslog or a container writes before each
 * line, and those of Amazon's load balancers: a crawler's fetches as a server or a proxy saw them.
 */
import type { FetchCollector } from '../fetch-collector.ts';
import { excerpt, type LogOptions } from '../log-record.ts';
import { LineReader, type LogFormat, type LogReader, parseRequestLine } from './format.ts';

// before the line: "May  1 06:00:00 host nginx: ", "web_1 | ", "2026-05-01T06:00:00Z stdout F "
const prefix = String.raw`(?:\w{3} [ \d]\d [\d:]{8} \S+ \S+: |\S+ +\| |\S+ std(?:out|err) [FP] )??`;
const quotedText = String.raw`"((?:[^"\\]|\\.)*)"`;
/** The patterns of lines, and the places of their fields. */
const patterns = [
  {
    // [virtual host] client identity user [time]; names of users may have blanks
    // "request" status bytes ["referrer" "user agent"] …
    pattern: new RegExp(
      String.raw`^${prefix}(?:(\S+?)(?::\d+)? (?=\S*[.:]))?\S+ \S+ .+? \[([^\]]+)\] ${quotedText} (\d{3}) (\d+|-)(?: ${quotedText} ${quotedText})?`,
    ),
    ...{ host: 1, time: 2, request: 3, status: 4, bytes: 5, agent: 7 },
  },
  {
    // [type] time balancer client target, three durations, statuses, sizes, "request" "user agent" …
    pattern: new RegExp(
      String.raw`^(?:\w+ )?(\d{4}-\d\d-\d\dT\S+) \S+ \S+:\d+ \S+ \S+ \S+ \S+ (\d{3}|-) \S+ \d+ (\d+) ${quotedText}(?: ${quotedText})?`,
    ),
    ...{ host: 0, time: 1, request: 4, status: 2, bytes: 3, agent: 5 },
  },
];

function open(_options: LogOptions, fetches: FetchCollector): LogReader {
  let layout = patterns[0];
  const read = (line: string, number: number): void => {
    let match = layout.pattern.exec(line);
    if (match === null) {
      // lines of both kinds are rare, so the last pattern that fitted is tried first
      layout = patterns.find(({ pattern }) => pattern.test(line)) ?? layout;
      match = layout.pattern.exec(line);
    }
    if (match === null) {
      fetches.fault(number, `no line of an access log: ${excerpt(line)}`);
      return;
    }
    const { time, host, status, bytes } = layout;
    const fetch = {
      ...parseRequestLine(match[layout.request]),
      ...{ time: match[time], status: match[status], bytes: match[bytes], agent: match[layout.agent] ?? '' },
      host: host > 0 ? match[host] : undefined,
    };
    fetches.add(fetch, number);
  };
  return new LineReader(read);
}

export const accessLog: LogFormat = {
  name: 'access-log',
  title: 'an access log',
  formatOptions: ['agent', 'base', 'signature'],
  recognises: ({ line }) => patterns.some(({ pattern }) => pattern.test(line)),
  open,
};
