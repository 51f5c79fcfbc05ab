import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/operations/index.ts';

const client = new Client({ name: 'test', version: '1' });
const json = (file: string) => JSON.parse(readFileSync(`examples/${file}.json`, 'utf8'));

beforeAll(async () => {
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: ['src/cli.ts', 'mcp'], stderr: 'inherit' }),
  );
});
afterAll(() => client.close());

describe('crawl-optimizer mcp, asked by the protocol’s own client', () => {
  it('has five tools in few words', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'plan_from_log',
      'how_much_is_needed',
      'compare_rules',
      'explain_page',
      'ask_operation',
    ]);
    // A token is some four characters: 8,000 tokens at most, and far fewer in fact.
    expect(JSON.stringify(tools).length).toBeLessThan(8000);
    for (const { name } of tools.slice(0, 4)) expect(client.getInstructions()).toContain(name);
  });

  it('lists the operations, and gives a schema that accepts an operation’s examples', async () => {
    const all = await client.callTool({ name: 'ask_operation', arguments: {} });
    expect(Object.keys(Object(all.structuredContent).operations)).toEqual(operations.map(({ name }) => name));
    const one = await client.callTool({ name: 'ask_operation', arguments: { operation: 'slot-assignment' } });
    const accepts = new Ajv2020({ strict: false, validateFormats: false }).compile(
      Object(one.structuredContent).request,
    );
    expect(accepts(json('slot-assignment')), JSON.stringify(accepts.errors?.slice(0, 3))).toBe(true);
  });

  it('plans from a log, compares its rule, and explains a page', async () => {
    const log = readFileSync('examples/quick-start/crawl-log.ndjson', 'utf8');
    const plan = await client.callTool({ name: 'plan_from_log', arguments: { log, crawls: 30 } });
    const { summary, solution } = Object(plan.structuredContent);
    expect(summary).toMatch(/^Make 30 fetches of \d+ pages in the next day\. Copies are stale/);
    const page = solution.pages[0].id;
    const why = await client.callTool({ name: 'explain_page', arguments: { log, crawls: 30, page } });
    expect(Object(why.structuredContent).explanation).toMatch(/^It changes .* times? a /);
    const compared = await client.callTool({ name: 'compare_rules', arguments: { log } });
    expect(Object(compared.structuredContent).stale.plan.value).toBeGreaterThan(0);
    const needed = await client.callTool({ name: 'how_much_is_needed', arguments: { log, freshness: 0.8 } });
    const { crawls, crawlsInterval, hangsOn, curve } = Object(needed.structuredContent);
    expect(crawls).toBeGreaterThan(crawlsInterval[0]);
    expect(crawls).toBeLessThan(crawlsInterval[1]);
    expect(hangsOn[0].page).toMatch(/^https:/);
    expect(curve).toHaveLength(20);
    const unread = await client.callTool({ name: 'plan_from_log', arguments: { log: 'no log', crawls: 30 } });
    expect(unread.isError).toBe(true);
  });

  it('reads a log from its file, and says where there is none', async () => {
    const file = 'examples/quick-start/crawl-log.ndjson';
    const compared = await client.callTool({ name: 'compare_rules', arguments: { file } });
    expect(Object(compared.structuredContent).stale.plan.value).toBeGreaterThan(0);
    const missing = await client.callTool({ name: 'compare_rules', arguments: { file: 'examples/no-such.log' } });
    expect(missing.isError).toBe(true);
    expect(JSON.stringify(missing.structuredContent)).toContain('no such file');
    const endless = await client.callTool({ name: 'compare_rules', arguments: { file: '/dev/zero' } });
    expect(JSON.stringify(endless.structuredContent)).toContain('/dev/zero is no file');
    const few = await client.callTool({
      name: 'compare_rules',
      arguments: { log: 'url,time,changed\na,1780000000,1\n' },
    });
    expect(few.isError).toBe(true);
    expect(JSON.stringify(few.structuredContent)).toContain('/pages');
    const neither = await client.callTool({ name: 'compare_rules', arguments: {} });
    expect(JSON.stringify(neither.structuredContent)).toContain('give file');
  });

  it('answers as the service does', async () => {
    const { isError, structuredContent, content } = await client.callTool({
      name: 'ask_operation',
      arguments: { operation: 'crawler-count', request: json('inria-crawler') },
    });
    expect(isError).toBe(false);
    expect(structuredContent).toMatchObject({ status: 'optimal', solution: { crawlers: 10 } });
    expect(content).toMatchObject([{ type: 'text' }]);
  });

  it('gives a refusal back as an error that says what would be accepted, and goes on', async () => {
    const refused = await client.callTool({
      name: 'ask_operation',
      arguments: { operation: 'crawler-count', request: { crawlerRate: -1 } },
    });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.structuredContent)).toContain('must be above 0 (at least 1e-15); got -1');
    const unknown = await client.callTool({ name: 'no-such', arguments: {} });
    expect(unknown.isError).toBe(true);
    const misspelt = await client.callTool({
      name: 'ask_operation',
      arguments: { operation: 'crawlplan', request: {} },
    });
    expect(JSON.stringify(misspelt.structuredContent)).toContain('did you mean crawl-plan?');
    expect((await client.listTools()).tools).toHaveLength(5);
  });

  it('answers a ping while it solves, and stops a solve that is cancelled', async () => {
    const long = JSON.parse(JSON.stringify(json('simulations-queue-paper')));
    const request = { ...long, duration: 1e6, replications: 1000, options: { timeLimitMs: 600_000 } };
    const leaving = new AbortController();
    const call = { name: 'ask_operation', arguments: { operation: 'simulations/queue', request } };
    const solve = client.callTool(call, undefined, { signal: leaving.signal, timeout: 600_000 });
    const failed = solve.then(
      () => 'answered',
      () => 'cancelled',
    );
    await client.ping();
    leaving.abort();
    expect(await failed).toBe('cancelled');
    // the only worker is free for the next call, long before the limit of the one that was cancelled
    const next = { operation: 'slot-assignment', request: json('slot-assignment') };
    const { structuredContent } = await client.callTool({ name: 'ask_operation', arguments: next });
    expect(structuredContent).toMatchObject({ status: 'optimal' });
  });
});

describe('crawl-optimizer mcp, sent lines that are no messages', () => {
  const started = (environment: Readonly<Record<string, string>> = {}) =>
    spawn(process.execPath, ['src/cli.ts', 'mcp'], { env: { ...process.env, ...environment } });

  it('answers each with the code of JSON-RPC, and goes on', async () => {
    const server = started();
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    const answer = async (line: string) => {
      server.stdin.write(`${line}\n`);
      return JSON.parse(String((await lines.next()).value));
    };
    expect(await answer('{"jsonrpc": "2.0", ')).toMatchObject({ id: null, error: { code: -32700 } });
    expect(await answer('{"no": "message"}')).toMatchObject({ id: null, error: { code: -32600 } });
    expect(await answer('{"jsonrpc":"2.0","id":7,"method":"ping"}')).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
    server.stdin.end();
    const [code] = await once(server, 'exit');
    expect(code).toBe(0);
  });

  it('takes a long one in one pass', async () => {
    const server = started();
    const answers = createInterface({ input: server.stdout });
    const pad = 'x'.repeat(24 * 1024 * 1024);
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { pad } })}\n`);
    const [line] = await once(answers, 'line');
    expect(JSON.parse(line)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    server.stdin.end();
    await once(server, 'close');
  });

  it('ends with a word and a code where one is longer than a body may be', async () => {
    const server = started({ BODY_LIMIT_BYTES: '100000' });
    let said = '';
    server.stderr.on('data', (chunk) => {
      said += String(chunk);
    });
    server.stdin.on('error', () => {});
    server.stdin.write('x'.repeat(200_000));
    const [code] = await once(server, 'close');
    expect(code).toBe(2);
    expect(said).toContain('100000 bytes');
  });
});
