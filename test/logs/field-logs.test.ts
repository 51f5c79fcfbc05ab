import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLog } from '../../src/logs/read-log.ts';
import { checksFromFetches } from '../../src/solvers/estimation/index.ts';
import { runTables } from '../../src/tables/index.ts';
import { sharedService } from '../service/test-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { fieldLogs } from './field-logs.ts';

const folder = temporaryFolder();
const service = await sharedService({});

describe('a log as the field writes it', () => {
  it.each(fieldLogs)('is read right from a file: $kind', (log) => {
    const { pages, notes } = readLog([log.text]);
    const seen = pages.map(({ id, observations }) => {
      const outcomes: number[] = [];
      checksFromFetches(observations, (_elapsed, outcome) => outcomes.push(outcome));
      return [id, [outcomes.length, outcomes.filter((outcome) => outcome > 0).length]];
    });
    expect(Object.fromEntries(seen)).toEqual(log.right);
    expect(notes.join(' ')).toMatch(log.said ?? /^/);
  });

  it.each(fieldLogs)('is read right over HTTP: $kind', async (log) => {
    const response = await fetch(`${service.url}/v1/estimates/change-rates`, {
      method: 'POST',
      headers: { 'content-type': 'text/csv' },
      body: Buffer.from(log.text),
    });
    const answer = JSON.parse(await response.text());
    expect(response.status, JSON.stringify(answer).slice(0, 300)).toBe(200);
    const rates: { id: string; checks: number; changes: number }[] = answer.solution.pages;
    expect(Object.fromEntries(rates.map(({ id, checks, changes }) => [id, [checks, changes]]))).toEqual(log.right);
    const warningText = answer.warnings.map(({ detail }: { detail: string }) => detail).join(' ');
    expect(warningText).toMatch(log.said ?? /^/);
  });

  it.each(fieldLogs.filter(({ isTable }) => isTable))('is read right by tables rates: $kind', async (log) => {
    const [file, out] = [join(folder, 'log.ndjson'), join(folder, 'rates.ndjson')];
    writeFileSync(file, log.text.replace(/^\ufeff/, ''));
    const messages = { err: '' };
    const columns = `--id url --time time --time-format ${log.timeFormat ?? 'utc'} --signature hash --status status`;
    const words = ['rates', file, ...columns.split(' '), '--rate-unit', 'day', '--out', out];
    const code = await runTables(words, { write: () => {} }, { write: (text) => (messages.err += text) });
    expect(code, messages.err).toBe(0);
    const rates = readFileSync(out, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(Object.fromEntries(rates.map(({ id, checks, changes }) => [id, [checks, changes]]))).toEqual(log.right);
  });
});
