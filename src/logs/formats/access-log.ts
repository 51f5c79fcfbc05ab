/** Access logs of nginx and Apache, common or combined: a crawler's fetches as seen by a proxy or a server. */
import type { FetchCollector } from '../fetch-collector.ts';
import { excerpt, type LogOptions, LogRefusal, type UserAgent } from '../log-record.ts';
import { firstLine, Lines, type LogFormat, type LogReader } from './format.ts';

// [virtual host] client identity user [time]; names of users may have blanks
// "request" status bytes ["referrer" "user agent"] …
const pattern =
  /^(?:(\S+?)(?::\d+)? (?=\S*[.:]))?(\S+) (\S+) (.+?) \[([^\]]+)\] "((?:[^"\\]|\\.)*)" (\d{3}) (\d+|-)(?: "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)")?/;
/** Paths may contain blanks that a crawler did not escape. */
const requestLine = /^([A-Z]+) (.*?)(?: HTTP\/\d(?:\.\d)?)?$/;

/** First lines from which the crawler's user agent is determined. */
const maxPendingLines = 1000;
/** Largest share of lines from other user agents if none was chosen. */
const maxOtherShare = 0.1;

function open(options: LogOptions, fetches: FetchCollector): LogReader {
  const agents = new Map<string, number>();
  /** The crawler's user agent; null until determined. */
  let ownAgent: string | null = null;
  let pendingLines: [match: readonly string[], number: number][] = [];
  let hasUnchanged = false;
  const take = (match: readonly string[], number: number): void => {
    const [, host, , , , time, request, status, bytes, , agent = ''] = match;
    if (options.agent === undefined ? agent !== ownAgent : !agent.includes(options.agent)) {
      const hint = ownAgent === null ? '' : ` than ${excerpt(ownAgent)} (--agent takes those that contain a text)`;
      fetches.passOver(`of other user agents${hint}`, agent);
      return;
    }
    const [, method, target = ''] = requestLine.exec(request) ?? [];
    if (method !== 'GET' || target === '') {
      fetches.passOver('no GET', request);
      return;
    }
    if (status === '304') hasUnchanged = true;
    const signature = options.signature === 'bytes' && status === '200' ? bytes : undefined;
    fetches.add({ page: pageOf(target.replaceAll(' ', '%20'), host, options.base), time, status, signature }, number);
  };
  const agentsByLines = (): UserAgent[] =>
    Array.from(agents, ([agent, lines]) => ({ agent, lines })).sort((a, b) => b.lines - a.lines);
  const takePending = (): void => {
    ownAgent ??= agentsByLines()[0]?.agent ?? null;
    for (const [match, number] of pendingLines) take(match, number);
    pendingLines = [];
  };
  const read = (line: string, number: number): void => {
    const match = pattern.exec(line);
    if (match === null) {
      fetches.fault(number, `no line of an access log: ${excerpt(line)}`);
      return;
    }
    const agent = match[10] ?? '';
    agents.set(agent, (agents.get(agent) ?? 0) + 1);
    if (options.agent !== undefined || ownAgent !== null) take(match, number);
    else if (pendingLines.push([match, number]) >= maxPendingLines) takePending();
  };
  return new Lines(read, () => {
    if (options.agent === undefined) {
      takePending();
      const agentList = agentsByLines();
      const lines = agentList.reduce((sum, each) => sum + each.lines, 0);
      if (lines - (agents.get(ownAgent ?? '') ?? 0) > maxOtherShare * lines) {
        const examples = agentList.slice(0, 3).map(({ agent }) => excerpt(agent));
        const names = `${examples.join(', ')}${agentList.length > examples.length ? ', …' : ''}`;
        throw new LogRefusal(
          `the log has ${agentList.length} user agents (${names})`,
          '--agent with the crawler’s',
          agentList,
        );
      }
    }
    if (options.signature === 'bytes') {
      fetches.note('A page counts as changed when its number of bytes differs: changes of the same length are missed.');
    } else if (!hasUnchanged && fetches.count > 0) {
      throw new LogRefusal(
        'no line has status 304, so nothing tells a changed page from an unchanged one; let the crawler ask with If-Modified-Since or If-None-Match, or tell changes by the size of the answers',
        '--signature bytes',
      );
    }
  });
}

function pageOf(target: string, host: string | undefined, base: string | undefined): string {
  if (/^https?:\/\//i.test(target)) return target;
  if (base !== undefined) return base.replace(/\/$/, '') + target;
  return host === undefined ? target : `${host}${target}`;
}

export const accessLog: LogFormat = {
  name: 'access-log',
  title: 'an access log of nginx or Apache',
  asks: ['agent', 'base', 'signature'],
  recognises: (beginning) => pattern.test(firstLine(beginning)),
  open,
};
