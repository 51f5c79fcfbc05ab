/**
 * `mcp`: five tools of the Model Context Protocol over stdio (tools.ts), for programs that let a language model
 * choose. A call runs as in the service: closed forms at once, everything else in a worker process.
 * Source: Model Context Protocol, revision 2025-06-18, section Tools.
 */
import type { Config } from '../../config.ts';
import { Dispatcher } from '../../dispatch/dispatcher.ts';
import type { Operation } from '../../operations/operation.ts';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  Server,
  StdioServerTransport,
  type Tool,
} from './protocol.ts';
import { type NamedTool, type ToolAnswer, type ToolHands, tools } from './tools.ts';
import { wholeLines } from './whole-lines.ts';

function toolOf({ name, description, properties, required }: NamedTool): Tool {
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: { ...properties },
      required: [...required],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
}

/** How the tools belong together, for a model that must choose one. */
const instructions = [
  'Decisions for web crawlers, each with the proof that exists for it. From a crawl log: plan_from_log,',
  'how_much_is_needed, compare_rules and explain_page. Every other question is an operation: ask_operation lists them, gives the schema of one,',
  'and asks it. Answers have a summary in words, and say optimal only where that is proved.',
].join(' ');

function answered(json: string, refused: boolean): CallToolResult {
  const structuredContent: Record<string, unknown> = JSON.parse(json);
  return { content: [{ type: 'text', text: json }], structuredContent, isError: refused };
}

/** Runs one call; what the service would refuse is a refusal that says what would be accepted. */
async function ask(
  dispatcher: Dispatcher,
  operation: Operation,
  request: unknown,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const body = Buffer.from(JSON.stringify(request ?? null));
  const reply = await dispatcher.handle({
    operation: { ...operation, answersInColumns: false, operation },
    body,
    validateOnly: false,
    leaving: () => signal,
  });
  if (reply.kind === 'left') return { refused: true, content: { detail: 'the call was cancelled' } };
  if (reply.kind === 'problem') return { refused: true, content: { ...reply.problem } };
  const json = typeof reply.body === 'string' ? reply.body : Buffer.from(reply.body).toString();
  return { refused: false, content: JSON.parse(json) };
}

/** The server with its tools, not yet connected. */
function toolServer(operations: readonly Operation[], dispatcher: Dispatcher, version: string): Server {
  const server = new Server({ name: 'crawl-optimizer', version }, { capabilities: { tools: {} }, instructions });
  const listed = tools.map(toolOf);
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = tools.find((each) => each.name === params.name);
    if (tool === undefined) {
      const text = `no tool ${JSON.stringify(params.name)}; there are ${tools.map(({ name }) => name).join(', ')}`;
      return { content: [{ type: 'text', text }], isError: true };
    }
    const hands: ToolHands = {
      operations,
      ask: (operation, request) => ask(dispatcher, operation, request, signal),
    };
    const { refused, content } = await tool.run(params.arguments ?? {}, hands);
    return answered(JSON.stringify(content), refused);
  });
  return server;
}

interface ServerParts {
  readonly config: Config;
  readonly version: string;
  /** The module of the process that solves. */
  readonly workerFile: URL;
}

/** What JSON-RPC answers to a line that is no message. */
const unreadable = (code: number, message: string): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })}\n`;

/**
 * Serves on stdin and stdout until the client closes them. Requests are solved in a process of their own, so that a call
 * can be cancelled and a ping answered meanwhile.
 *
 * @returns whether the client ended it; false where a message was longer than a body may be
 */
export async function serveTools(operations: readonly Operation[], parts: ServerParts): Promise<boolean> {
  const { config, version, workerFile } = parts;
  const dispatcher = new Dispatcher({ ...config, workers: 1, quickWorker: false, workerFile });
  const server = toolServer(operations, dispatcher, version);
  let ended = false;
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once('end', () => {
      ended = true;
      resolve();
    });
  });
  server.onerror = (error) => {
    if (error instanceof SyntaxError) process.stdout.write(unreadable(-32700, 'the line is not JSON'));
    else if (error.name === 'ZodError') process.stdout.write(unreadable(-32600, 'the line is no message of JSON-RPC'));
    else process.stderr.write(`crawl-optimizer mcp: ${error.message}\n`);
  };
  const maxBufferSize = config.bodyLimitBytes;
  const lines = process.stdin.pipe(wholeLines(maxBufferSize));
  await server.connect(new StdioServerTransport(lines, process.stdout, { maxBufferSize }));
  await closed;
  process.stdin.unpipe(lines).pause();
  await dispatcher.close();
  return ended;
}
