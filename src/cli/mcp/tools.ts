/**
 * The tools of `mcp`: a plan from a log, how much is needed, how rules compare, why a page is fetched when it is. One
 * more reaches every other operation by name, and gives its schema on demand. Five schemas of a few lines take the
 * place of one for each.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { compareRules } from '../../logs/compared-rules.ts';
import { LogRefusal } from '../../logs/log-record.ts';
import { planRequest } from '../../logs/plan-request.ts';
import { type CrawlLog, readLog } from '../../logs/read-log.ts';
import type { Operation } from '../../operations/operation.ts';
import { isRecord } from '../../schemas/table/table-reading.ts';
import { day } from '../../solvers/day.ts';
import { meant } from '../../words/meant.ts';
import { textOf } from '../files/log-text.ts';
import { requestJsonSchema } from '../json-schema.ts';
import { modelOf } from '../pilot/compare-logs.ts';
import { type AnsweredPages, explainAnswered } from '../plan/explain-answered.ts';

/** What a tool gives back: an object for programs, or a refusal. */
export interface ToolAnswer {
  readonly refused: boolean;
  readonly content: Readonly<Record<string, unknown>>;
}

/** What a tool may do: ask an operation. */
export interface ToolHands {
  readonly operations: readonly Operation[];
  ask(operation: Operation, request: unknown): Promise<ToolAnswer>;
}

export interface NamedTool {
  readonly name: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly run: (input: Input, hands: ToolHands) => ToolAnswer | Promise<ToolAnswer>;
}

const refusal = (detail: string): ToolAnswer => ({ refused: true, content: { detail } });
const file = { type: 'string', description: 'Path of the crawl log on this machine; .gz is unpacked' };
const log = {
  type: 'string',
  description:
    'In its place: the log as text. CSV, JSON lines, an access log, CDX, a Nutch dump or a StormCrawler export',
};
const crawls = { type: 'integer', minimum: 1, description: 'Fetches that can be made in the interval' };
const interval = { type: 'number', exclusiveMinimum: 0, description: 'Seconds to plan; default a day' };
const objective = {
  enum: ['freshness', 'delay', 'age', 'harmonic'],
  description: 'What staleness costs; default freshness',
};

type Input = Readonly<Record<string, unknown>>;
type FromLog = (read: CrawlLog, input: Input, hands: ToolHands) => ToolAnswer | Promise<ToolAnswer>;

/** What a tool does with the log that its input names, or why it cannot be read. */
const withLog =
  (use: FromLog): NamedTool['run'] =>
  (input, hands) => {
    let read: CrawlLog;
    try {
      if (typeof input.file === 'string') read = readLog([textOf(plainFile(input.file))]);
      else if (typeof input.log === 'string') read = readLog([input.log]);
      else return refusal('give file (a path) or log (the text of a crawl log)');
    } catch (error) {
      if (!(error instanceof LogRefusal) && !isNoSuchFile(error)) throw error;
      return refusal(`the log cannot be read: ${error.message}`);
    }
    return use(read, input, hands);
  };

/** The path of a file; a pipe or a device might never end. */
function plainFile(name: string): string {
  const path = resolve(name);
  if (!statSync(path).isFile()) throw new LogRefusal(`${name} is no file`);
  return path;
}

const isNoSuchFile = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('E');

function operationOf(name: unknown, { operations }: ToolHands): Operation | ToolAnswer {
  const names = operations.map((each) => each.name);
  const found = operations.find((each) => each.name === name);
  const hint = typeof name === 'string' ? meant(name, names) : '';
  return (
    found ??
    refusal(`no operation ${JSON.stringify(name)}${hint === '' ? '' : `; ${hint}`}; there are ${names.join(', ')}`)
  );
}

/** A request for crawl-plan from the log, and its answer. */
async function plan(read: CrawlLog, input: Input, hands: ToolHands): Promise<ToolAnswer> {
  const operation = operationOf('crawl-plan', hands);
  if ('refused' in operation) return operation;
  if (typeof input.crawls !== 'number') return refusal('crawls must be how many fetches can be made');
  const request = planRequest(read, { ...momentsOf(read, input), crawls: input.crawls });
  return hands.ask(operation, { ...request, ...(input.objective !== undefined && { objective: input.objective }) });
}

/** When a plan begins, and how much it plans. */
const momentsOf = (read: CrawlLog, { now, interval: seconds }: Input): { now: number; interval: number } => ({
  now: typeof now === 'number' ? now : Math.ceil(read.to),
  interval: typeof seconds === 'number' ? seconds : day,
});

/** How few fetches keep a target, without the plan that makes them. */
async function needed(read: CrawlLog, input: Input, hands: ToolHands): Promise<ToolAnswer> {
  const operation = operationOf('crawl-plan', hands);
  if ('refused' in operation) return operation;
  const { freshness, meanDelay } = input;
  const target =
    typeof freshness === 'number' ? { freshness } : typeof meanDelay === 'number' ? { meanDelay } : undefined;
  if (target === undefined) return refusal('give freshness (a share of the time) or meanDelay (seconds)');
  const answer = await hands.ask(
    operation,
    planRequest(read, { ...momentsOf(read, input), crawls: target, curve: true }),
  );
  const { solution, summary, objective: proof, curve, conflict } = answer.content;
  if (answer.refused || !isRecord(solution))
    return conflict === undefined ? answer : { ...answer, content: { summary, conflict } };
  const { crawls: fetches, crawlsInterval, hangsOn } = solution;
  const pages = Array.isArray(hangsOn)
    ? hangsOn.filter(isRecord).map(({ page, crawls: by }) => ({ page: read.pages[Number(page)]?.id, crawls: by }))
    : [];
  const content = { summary, crawls: fetches, crawlsInterval, bound: proof, hangsOn: pages, curve };
  return { refused: false, content };
}

async function compare(read: CrawlLog, _: Input, hands: ToolHands): Promise<ToolAnswer> {
  const model = await modelOf<ToolAnswer>(read, async (name, request) => {
    const operation = operationOf(name, hands);
    if ('refused' in operation) return { refused: operation };
    const answer = await hands.ask(operation, request);
    return answer.refused ? { refused: answer } : { json: JSON.stringify(answer.content) };
  });
  if ('refused' in model) return model.refused;
  return { refused: false, content: { ...compareRules(model.gaps, model.frequencies, model.rates) } };
}

async function explain(read: CrawlLog, input: Input, hands: ToolHands): Promise<ToolAnswer> {
  const answer = await plan(read, input, hands);
  const { solution } = answer.content;
  if (answer.refused || !isSolution(solution)) return answer;
  const at = solution.pages.findIndex(({ id }) => id === input.page);
  if (at < 0) {
    const hint =
      typeof input.page === 'string'
        ? meant(
            input.page,
            read.pages.slice(0, 10_000).map(({ id }) => id),
          )
        : '';
    return refusal(`the log has no page ${JSON.stringify(input.page)}${hint === '' ? '' : `; ${hint}`}`);
  }
  const explanation = explainAnswered(solution, at, { ...momentsOf(read, input), objective: input.objective });
  return { refused: false, content: { explanation, page: solution.pages[at], price: solution.shadowPrice } };
}

/** Any operation: the list of them, one's schema, or its answer. */
function anyOperation({ operation: name, request }: Input, hands: ToolHands): ToolAnswer | Promise<ToolAnswer> {
  if (name === undefined) {
    const operations = Object.fromEntries(hands.operations.map((each) => [each.name, each.summary]));
    return { refused: false, content: { operations } };
  }
  const operation = operationOf(name, hands);
  if ('refused' in operation) return operation;
  if (request !== undefined) return hands.ask(operation, request);
  const { summary, description, requestSchema } = operation;
  const schema = requestJsonSchema(requestSchema);
  return { refused: false, content: { name: operation.name, summary, description, request: schema } };
}

const isSolution = (value: unknown): value is AnsweredPages => isRecord(value) && Array.isArray(value.pages);

const now = { type: 'number', description: 'Epoch seconds when the plan begins; default where the log ends' };

/** The tools, in the order in which people ask. */
export const tools: readonly NamedTool[] = [
  {
    name: 'plan_from_log',
    description: 'What to fetch when, and how often each page, from a crawl log and a number of fetches.',
    properties: { file, log, crawls, interval, now, objective },
    required: ['crawls'],
    run: withLog(plan),
  },
  {
    name: 'how_much_is_needed',
    description:
      'How few fetches keep the pages of a crawl log as current as is wished (freshness, or the mean delay of a change in seconds), with an interval for what is known of the rates, the pages the number hangs on, and what more fetches would buy.',
    properties: {
      file,
      log,
      freshness: { type: 'number', minimum: 0, maximum: 1, description: 'Share of the time with a current copy' },
      meanDelay: { type: 'number', minimum: 0, description: 'In its place: seconds that a change waits, in the mean' },
      interval,
      now,
    },
    required: [],
    run: withLog(needed),
  },
  {
    name: 'compare_rules',
    description:
      'How fresh a plan would keep the pages of a crawl log, beside the log’s own rule and all pages in turn, at equal fetches, with intervals.',
    properties: { file, log },
    required: [],
    run: withLog(compare),
  },
  {
    name: 'explain_page',
    description:
      'Why a page is fetched when it is, or never: its rate with its interval, what it is worth, when it comes next.',
    properties: {
      file,
      log,
      crawls,
      interval,
      now,
      page: { type: 'string', description: 'The page, as the log names it' },
      objective,
    },
    required: ['crawls', 'page'],
    run: withLog(explain),
  },
  {
    name: 'ask_operation',
    description:
      'Any other question, in three steps. Without arguments: every operation with the question it answers. With operation alone: its JSON Schema and what it does. With a request of that schema: the answer; a refusal says what would be accepted.',
    properties: {
      operation: { type: 'string', description: 'Such as crawler-count or estimates/host-limits' },
      request: { type: 'object', description: 'As its schema says' },
    },
    required: [],
    run: anyOperation,
  },
];
