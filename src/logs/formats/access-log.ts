/** Access logs of nginx and Apache, common or combined: the fetches of a crawler, seen by a proxy or a server. */
import { type LogOptions, type LogRecord, LogRefusal, RecordCollector, shown } from '../log-record.ts';
import { firstLine, type LogFormat, numberedLines } from './format.ts';

// [virtual host] client identity user [time] "request" status bytes ["referrer" "user agent"] …
const pattern =
  /^(?:(\S+?)(?::\d+)? )?(\S+) (\S+) (\S+) \[([^\]]+)\] "((?:[^"\\]|\\.)*)" (\d{3}) (\d+|-)(?: "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)")?/;

export const accessLog: LogFormat = {
  name: 'access-log',
  title: 'an access log of nginx or Apache',
  asks: ['agent', 'base', 'signature'],
  recognises: (beginning) => pattern.test(firstLine(beginning)),
  read(text, options) {
    const collected = new RecordCollector();
    const agents = new Map<string, number>();
    const lines: LogRecord[] = [];
    for (const [number, line] of numberedLines(text)) {
      const found = pattern.exec(line);
      if (found === null) {
        collected.fault(number, `no line of an access log: ${shown(line)}`);
        continue;
      }
      const [, host, , , , time, request, status, bytes, , agent] = found;
      if (options.agent !== undefined && !(agent ?? '').includes(options.agent)) {
        collected.passOver('of another user agent');
        continue;
      }
      agents.set(agent ?? '', (agents.get(agent ?? '') ?? 0) + 1);
      const [method, target] = request.split(' ');
      if (method !== 'GET' || target === undefined) {
        collected.passOver('no GET');
        continue;
      }
      const page = pageOf(target, host, options.base);
      const signature = options.signature === 'bytes' && status === '200' ? bytes : undefined;
      lines.push({ page, time, status, signature });
    }
    if (agents.size > 1 && options.agent === undefined) {
      const listed = Array.from(agents, ([agent, lines]) => ({ agent, lines })).sort((a, b) => b.lines - a.lines);
      const some = listed.slice(0, 3).map(({ agent }) => shown(agent));
      const said = `${some.join(', ')}${listed.length > some.length ? ', …' : ''}`;
      throw new LogRefusal(`the log has ${listed.length} user agents (${said})`, '--agent with the crawler’s', listed);
    }
    for (const line of withVerdicts(lines, options, collected)) collected.records.push(line);
    return collected;
  },
};

function pageOf(target: string, host: string | undefined, base: string | undefined): string {
  if (/^https?:\/\//i.test(target)) return target;
  if (base !== undefined) return base.replace(/\/$/, '') + target;
  return host === undefined ? target : `${host}${target}`;
}

/** A crawler whose log has 304s asks conditionally: its 200s are changes. Without 304s nothing here tells a change. */
function withVerdicts(
  lines: readonly LogRecord[],
  options: LogOptions,
  collected: RecordCollector,
): readonly LogRecord[] {
  if (options.signature === 'bytes') {
    collected.notes.push(
      'A page counts as changed when its number of bytes differs: changes of the same length are missed.',
    );
    return lines;
  }
  const conditional = new Set(lines.filter(({ status }) => status === '304').map(({ page }) => page));
  if (conditional.size === 0 && lines.length > 0) {
    throw new LogRefusal(
      'no line has status 304, so nothing tells a changed page from an unchanged one; let the crawler ask with If-Modified-Since or If-None-Match, or tell changes by the size of the answers',
      '--signature bytes',
    );
  }
  collected.notes.push(
    `${conditional.size} pages have answers 304: the crawler asks conditionally, and a 200 of these pages counts as a change.`,
  );
  return lines.map((line) => (conditional.has(line.page) && line.status === '200' ? { ...line, changed: true } : line));
}
