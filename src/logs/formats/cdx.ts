/** CDX (with or without its header line) and CDXJ: the captures of a web archive. Times are UTC by definition. */
import { LogRefusal, RecordCollector, shown } from '../log-record.ts';
import { firstLine, type LogFormat, numberedLines } from './format.ts';

/** Letters of the CDX header: https://iipc.github.io/warc-specifications/specifications/cdx-format/cdx-2015/ */
const letters: Readonly<Record<string, 'page' | 'time' | 'status' | 'signature'>> = {
  a: 'page',
  b: 'time',
  s: 'status',
  k: 'signature',
};
/** urlkey timestamp original mimetype statuscode digest …, as CDX servers and 11-column files have it. */
const usual = ['N', 'b', 'a', 'm', 's', 'k'];
/** Some writers add milliseconds. */
const jsonLine = /^(\S+) (\d{14})(?:\d{3})? (\{.*\})$/;
const plainLine = /^\S+ \d{14} \S+ \S+ (\d{3}|-) [A-Z2-7]{32}\b|^\S+ \d{14} \S+ \S+ (\d{3}|-) \S+/;
const header = /^.?CDX((?: [A-Za-z])+)\s*$/;

export const cdx: LogFormat = {
  name: 'cdx',
  title: 'a CDX index of a web archive',
  recognises: (beginning) => {
    const line = firstLine(beginning);
    return header.test(line) || jsonLine.test(line) || plainLine.test(line);
  },
  read(text) {
    const collected = new RecordCollector();
    let order: readonly string[] = usual;
    for (const [number, line] of numberedLines(text)) {
      const head = header.exec(line);
      if (head !== null) {
        order = head[1].trim().split(' ');
        if (!order.includes('a') || !order.includes('b')) {
          throw new LogRefusal(`the CDX header ${shown(line)} has no original URL (a) or no time (b)`);
        }
        continue;
      }
      const json = jsonLine.exec(line);
      const fields = json === null ? byLetter(line, order) : byName(json[2], json[3]);
      if (fields?.page === undefined || fields.time === undefined || !/^\d{14}$/.test(fields.time)) {
        collected.fault(number, `no line of a CDX index: ${shown(line)}`);
        continue;
      }
      const { page, time, status, signature } = fields;
      // A revisit record has no status of its own: the digest says that the content was as before.
      collected.records.push({ page, time, status: status === '-' ? undefined : status, signature });
    }
    return collected;
  },
};

type Fields = Partial<Record<'page' | 'time' | 'status' | 'signature', string>>;

function byLetter(line: string, order: readonly string[]): Fields {
  const fields: Fields = {};
  for (const [at, value] of line.trim().split(/\s+/).entries()) {
    const name = letters[order[at]];
    if (name !== undefined) fields[name] = value;
  }
  return fields;
}

function byName(time: string, json: string): Fields | null {
  try {
    const { url, status, digest }: Readonly<Record<string, unknown>> = JSON.parse(json);
    return {
      time,
      ...(typeof url === 'string' && { page: url }),
      ...(status !== undefined && { status: String(status) }),
      ...(typeof digest === 'string' && { signature: digest }),
    };
  } catch {
    return null;
  }
}
