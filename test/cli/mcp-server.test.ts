import { readFileSync } from 'node:fs';
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
  it('has every operation as a tool, whose schema accepts the operation’s examples', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(operations.map(({ name }) => name.replaceAll('/', '_')));
    for (const [k, { inputSchema, description }] of tools.entries()) {
      const { examples, summary } = operations[k];
      expect(description).toContain(summary);
      const accepts = new Ajv2020({ strict: false, validateFormats: false }).compile(inputSchema);
      expect(accepts(json(examples[0].name)), JSON.stringify(accepts.errors?.slice(0, 3))).toBe(true);
    }
  });

  it('says which tool answers which question', () => {
    for (const word of ['crawl-plan', 'crawler-count', 'estimates_', 'simulations_']) {
      expect(client.getInstructions()).toContain(word);
    }
  });

  it('answers as the service does', async () => {
    const { isError, structuredContent, content } = await client.callTool({
      name: 'crawler-count',
      arguments: json('inria-crawler'),
    });
    expect(isError).toBe(false);
    expect(structuredContent).toMatchObject({ status: 'optimal', solution: { crawlers: 10 } });
    expect(content).toMatchObject([{ type: 'text' }]);
  });

  it('gives a refusal back as an error that says what would be accepted, and goes on', async () => {
    const refused = await client.callTool({ name: 'crawler-count', arguments: { crawlerRate: -1 } });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.structuredContent)).toContain('must be above 0 (at least 1e-15); got -1');
    const unknown = await client.callTool({ name: 'no-such', arguments: {} });
    expect(unknown.isError).toBe(true);
    expect((await client.listTools()).tools).toHaveLength(operations.length);
  });
});
