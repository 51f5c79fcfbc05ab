/**
 * `mcp`: the operations as tools of the Model Context Protocol over stdio, for programs that let a language model
 * choose. Names, schemas and descriptions are the operations' own; a call runs through the pipeline of the service, in
 * this process.
 * Source: Model Context Protocol, revision 2025-06-18, section Tools.
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { now } from '../dispatch/clock.ts';
import { prepareParsed, type RunLimits, run } from '../dispatch/pipeline.ts';
import type { Operation } from '../operations/operation.ts';
import { deadlineBudget } from '../solvers/budget.ts';
import { requestJsonSchema } from './json-schema.ts';

/** An operation's name as a tool: a slash is none of the characters that clients accept. */
const toolName = (operation: Operation): string => operation.name.replaceAll('/', '_');

function toolOf(operation: Operation): Tool {
  const { properties, required, ...rest } = requestJsonSchema(operation.requestSchema);
  const { $schema: _, type: __, ...others } = rest;
  return {
    name: toolName(operation),
    title: operation.summary,
    description: `${operation.summary}\n\n${operation.description}`,
    inputSchema: { ...others, ...Object.fromEntries(Object.entries({ properties, required })), type: 'object' },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
}

/** How the tools belong together, for a model that must choose one. */
const instructions = [
  'Decisions for web crawlers, each with the proof that exists for it. Choose by the question:',
  'a crawl log and a number of fetches: crawl-plan; how many crawlers: crawler-count; when to switch them: activation-policy,',
  'or threshold-policy with batches, obsolescence and limits; how often each page for ever: access-frequencies, and in which',
  'order: access-sequence; crawls of an interval: crawl-allocation, then slot-assignment; rates and laws from data:',
  'estimates_*; what would happen: simulations_*. An answer says optimal only where that is proved.',
].join(' ');

function answered(json: string, refused: boolean): CallToolResult {
  const structuredContent: Record<string, unknown> = JSON.parse(json);
  return { content: [{ type: 'text', text: json }], structuredContent, isError: refused };
}

/** Runs one call; what the service would refuse is an error result that says what would be accepted. */
export function callTool(operation: Operation, input: unknown, limits: RunLimits, signal: AbortSignal): CallToolResult {
  const ready = prepareParsed(operation, input, limits);
  if (ready.kind !== 'ready') return answered(JSON.stringify(ready.problem), true);
  const deadline = now() + ready.timeLimitMs;
  const budget = deadlineBudget({ clock: now, deadline, seed: ready.request.seed, cancelled: () => signal.aborted });
  const outcome = run(ready, budget, now);
  return outcome.kind === 'answer' ? answered(outcome.json, false) : answered(JSON.stringify(outcome.problem), true);
}

/** The server with its tools, not yet connected. */
function toolServer(operations: readonly Operation[], limits: RunLimits, version: string): Server {
  const server = new Server({ name: 'crawl-optimizer', version }, { capabilities: { tools: {} }, instructions });
  const tools = operations.map(toolOf);
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => {
    const operation = operations.find((each) => toolName(each) === params.name);
    if (operation !== undefined) return callTool(operation, params.arguments ?? {}, limits, signal);
    const text = `no tool ${JSON.stringify(params.name)}; there are ${tools.map(({ name }) => name).join(', ')}`;
    return { content: [{ type: 'text', text }], isError: true };
  });
  return server;
}

/** Serves on stdin and stdout until the client closes them. */
export async function serveTools(operations: readonly Operation[], limits: RunLimits, version: string): Promise<void> {
  const server = toolServer(operations, limits, version);
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once('end', resolve);
  });
  await server.connect(new StdioServerTransport());
  await closed;
}
