/**
 * What `crawl-optimizer tables` refuses of files and options: nothing is written, and nothing that is a name is run.
 */
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { run } from './run.ts';

const folder = temporaryFolder();

function file(name: string, ...lines: string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const names = ['--id', 'url', '--rate', 'rate', '--rate-unit', 'day', '--weight', 'w', '--per', 'day'];
const log = ['--id', 'url', '--time', 'at', '--time-format', 'epoch-seconds', '--rate-unit', 'day', '--changed', 'new'];

describe('tables', () => {
  it.each([
    [['price', 'pages.csv', '--rat', '3'], 'there is no option --rat; did you mean --rate?'],
    [['rates', 'log.csv', '--changd', 'new'], 'there is no option --changd; did you mean --changed?'],
    [['plan', 'pages.csv', '--rate'], '--rate needs a value, as in --rate=…'],
  ])('refuses the options of %j as every command does', async (words, reason) => {
    const { code, out, err } = await run(...words);
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: `crawl-optimizer tables: ${reason}\n` });
  });

  it('never writes over the table that it reads, by whatever name', async () => {
    const text = 'url,rate,w\na,1,1\nb,2,1\n';
    const source = file('own.csv', ...text.trimEnd().split('\n'));
    symlinkSync(source, join(folder, 'other-name.csv'));
    for (const out of [source, join(folder, '.', 'own.csv'), join(folder, 'other-name.csv')]) {
      const { code, err } = await run('plan', join(folder, 'own*.csv'), ...names, '--crawls', '1', '--out', out);
      expect(code).toBe(2);
      expect(err).toContain('is a table that is read; write to another file');
    }
    expect(readFileSync(source, 'utf8')).toBe(text);
  });

  it('never writes over the table of hosts, and a plan that it replaces keeps its mode', async () => {
    const pages = file('hosted.csv', 'url,rate,w,host', 'a,1,1,h', 'b,2,1,h');
    const hosts = file('hosts.csv', 'host,maxRate', 'h,1');
    const words = ['plan', pages, ...names, '--host', 'host', '--hosts', hosts, '--crawls', '1', '--out'];
    const refusal = await run(...words, hosts);
    expect({ ...refusal, kept: readFileSync(hosts, 'utf8') }).toMatchObject({ code: 2, kept: 'host,maxRate\nh,1\n' });
    expect(refusal.err).toContain('is a table that is read; write to another file');
    for (const mode of [0o600, 0o664]) {
      const out = file('replaced.csv', 'what was there');
      chmodSync(out, mode);
      expect((await run(...words, out)).code).toBe(0);
      expect({ mode: statSync(out).mode & 0o777, header: readFileSync(out, 'utf8').slice(0, 3) }).toEqual({
        mode,
        header: 'url',
      });
    }
  });

  const options = [...names, '--crawls', '1'];
  it.each([
    [
      'a postgres:// URL among files',
      ['price', file('secret.csv', 'url,rate,w', 'a,1,1'), 'postgres://u:hunter2@h/db', ...options],
    ],
    [
      'a postgres:// URL to write to',
      ['plan', join(folder, 'secret.csv'), ...options, '--out', 'postgres://u:hunter2@h/db'],
    ],
    ['a port that is none', ['price', 'postgres://u:hunter2@h:notaport/db', '--table', 't', ...options]],
    ['a database that is not there', ['price', 'postgres://u:hunter2@127.0.0.1:1/db', '--table', 't', ...options]],
    ...[
      'postgres://h/db?user=u&password=hunter2',
      'postgresql://u:hunter2@with@h:notaport/db',
      'postgres://u:hun%74er2@h:notaport/db',
      'postgres:/u:hunter2@h/db',
      'host=h user=u password=hunter2',
      "host=h user=u password='hunter2'",
      'mysql://u:hunter2@h/db',
      'postgres://u:hun/ter2hunter2@h/db',
    ].map((url): [string, string[]] => [url, ['price', url, '--table', 't', ...options]]),
    ['an amount of memory that is none', ['price', join(folder, 'secret.csv'), ...options, '--memory', '1GB; X']],
  ])('says in one line, and without the password, what is wrong with %s', async (_what, words) => {
    const { code, out, err } = await run(...words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^(?:1 pages, .+\n)?crawl-optimizer tables: .+\n$/);
    expect(err).not.toContain('hunter2');
    expect(err).not.toMatch(/\n +at /);
  });

  it.each([
    ['an empty table', [], '2', 'the table has no pages'],
    ['pages none of which has a weight', ['a,1,0', 'b,2,0'], '2', 'no page has a positive weight'],
    ['crawls at which no price exists', ['a,1,1', 'b,2,1'], '1e90', 'no price can be computed: must be between 1e-50'],
    ['a rate that is a text', ['a,often,1', 'b,2,1'], '2', 'the column "rate" is no number'],
  ])('refuses %s, and keeps the old plan', async (_, rows, crawls, message) => {
    const pages = file('pages.csv', 'url,rate,w', ...rows);
    const out = file('plan.csv', 'what was there');
    const { code, err } = await run('plan', pages, ...names, '--crawls', crawls, '--out', out);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(readFileSync(out, 'utf8')).toBe('what was there\n');
  });

  it.each([
    ['an empty log', [], 'the log has no fetches'],
    [
      'fetches without a page or a time',
      [',1767225600,1', 'a,,1', 'a,1767225600,0'],
      '2 of 3 fetches have no page, or',
    ],
  ])('refuses %s', async (_, rows, message) => {
    const fetches = file('log.csv', 'url,at,new', ...rows);
    const out = file('rates.csv', 'what was there');
    const { code, err } = await run('rates', fetches, ...log, '--out', out);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(readFileSync(out, 'utf8')).toBe('what was there\n');
  });

  it('treats hostile file names as names only', async () => {
    const target = join(folder, 'made.csv');
    const hostile = `o'neill'], header = true); COPY (SELECT 1) TO '${target.replaceAll('/', ':')}'; --.csv`;
    const pages = file(hostile, 'url,rate,w', 'a,1,1', 'b,2,1');
    const out = join(folder, "plan' (FORMAT csv); --.ndjson");
    const { code, err } = await run('plan', pages, ...names, '--crawls', '2', '--out', out);
    expect(code, err).toBe(0);
    expect(readFileSync(out, 'utf8').trim().split('\n').length).toBe(2);
    const none = await run('price', join(folder, "none'); SELECT 1; --.csv"), ...names, '--crawls', '2');
    expect(none.code).toBe(2);
    expect(none.err).toContain("none'); SELECT 1; --.csv");
    expect(readdirSync(folder).filter((name) => name.includes('made.csv') && !name.startsWith("o'neill"))).toEqual([]);
  });
});
