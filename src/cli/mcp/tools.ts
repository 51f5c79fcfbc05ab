/**
 * The tools of `mcp`: a plan from a log, how it compares, why a page is fetched when it is, and every other operation
 * by name, its schema on demand. Five schemas of a few lines take the place of one for each operation.
 */
import { compareRules } from '../../logs/compared-rules.ts';
import { LogRefusal } from '../../logs/log-record.ts';
import { planRequest } from '../../logs/plan-request.ts';
import { type CrawlLog, readLog } from '../../logs/read-log.ts';
import type { Operation } from '../../operations/operation.ts';
import { isRecord } from '../../schemas/table/table-reading.ts';
import { meant } from '../../words/meant.ts';
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
  run(input: Readonly<Record<string, unknown>>, hands: ToolHands): ToolAnswer | Promise<ToolAnswer>;
}

const refusal = (detail: string): ToolAnswer => ({ refused: true, content: { detail } });
const day = 86_400;
const log = {
  type: 'string',
  description: 'The crawl log as text: CSV, JSON lines, an access log, CDX, a Nutch dump or a StormCrawler export',
};
const crawls = { type: 'integer', minimum: 1, description: 'Fetches that can be made in the interval' };
const interval = { type: 'number', exclusiveMinimum: 0, description: 'Seconds to plan; default a day' };
const objective = {
  enum: ['freshness', 'delay', 'age', 'harmonic'],
  description: 'What staleness costs; default freshness',
};

/** The log in the input, or why it cannot be read. */
function logOf(input: Readonly<Record<string, unknown>>): CrawlLog | ToolAnswer {
  if (typeof input.log !== 'string') return refusal('log must be the text of a crawl log');
  try {
    return readLog([input.log]);
  } catch (error) {
    if (!(error instanceof LogRefusal)) throw error;
    return refusal(`the log cannot be read: ${error.message}`);
  }
}

const isRefused = (value: CrawlLog | ToolAnswer): value is ToolAnswer => 'refused' in value;

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
async function plan(input: Readonly<Record<string, unknown>>, hands: ToolHands): Promise<ToolAnswer> {
  const read = logOf(input);
  if (isRefused(read)) return read;
  const operation = operationOf('crawl-plan', hands);
  if ('refused' in operation) return operation;
  const seconds = typeof input.interval === 'number' ? input.interval : day;
  const now = typeof input.now === 'number' ? input.now : Math.ceil(read.to);
  if (typeof input.crawls !== 'number') return refusal('crawls must be how many fetches can be made');
  const request = planRequest(read, { now, interval: seconds, crawls: input.crawls });
  return hands.ask(operation, { ...request, ...(input.objective !== undefined && { objective: input.objective }) });
}

/** How few fetches keep a target, without the plan that makes them. */
async function needed(input: Readonly<Record<string, unknown>>, hands: ToolHands): Promise<ToolAnswer> {
  const read = logOf(input);
  if (isRefused(read)) return read;
  const operation = operationOf('crawl-plan', hands);
  if ('refused' in operation) return operation;
  const { freshness, meanDelay } = input;
  const target =
    typeof freshness === 'number' ? { freshness } : typeof meanDelay === 'number' ? { meanDelay } : undefined;
  if (target === undefined) return refusal('give freshness (a share of the time) or meanDelay (seconds)');
  const seconds = typeof input.interval === 'number' ? input.interval : day;
  const now = typeof input.now === 'number' ? input.now : Math.ceil(read.to);
  const request = planRequest(read, { now, interval: seconds, crawls: target, curve: true });
  const answer = await hands.ask(operation, request);
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

const isSolution = (value: unknown): value is AnsweredPages => isRecord(value) && Array.isArray(value.pages);

/** The tools, in the order in which people ask. */
export const tools: readonly NamedTool[] = [
  {
    name: 'plan_from_log',
    description:
      'What to fetch when, and how often each page, from a crawl log and a number of fetches. Begins where the log ends unless `now` says otherwise.',
    properties: { log, crawls, interval, now: { type: 'number', description: 'Epoch seconds' }, objective },
    required: ['log', 'crawls'],
    run: plan,
  },
  {
    name: 'how_much_is_needed',
    description:
      'How few fetches keep the pages of a crawl log as current as is wished (freshness, or the mean delay of a change in seconds), with an interval for what is known of the rates, the pages the number hangs on, and what more fetches would buy.',
    properties: {
      log,
      freshness: { type: 'number', minimum: 0, maximum: 1, description: 'Share of the time with a current copy' },
      meanDelay: { type: 'number', minimum: 0, description: 'In its place: seconds that a change waits, in the mean' },
      interval,
      now: { type: 'number', description: 'Epoch seconds' },
    },
    required: ['log'],
    run: needed,
  },
  {
    name: 'compare_rules',
    description:
      'How fresh a plan would keep the pages of a crawl log, beside the log’s own rule and all pages in turn, at equal fetches, with intervals.',
    properties: { log },
    required: ['log'],
    async run(input) {
      const read = logOf(input);
      if (isRefused(read)) return read;
      const model = await modelOf(read);
      if (typeof model === 'number') return refusal('the rates of the log could not be estimated');
      return { refused: false, content: { ...compareRules(model.gaps, model.frequencies, model.rates) } };
    },
  },
  {
    name: 'explain_page',
    description:
      'Why a page is fetched when it is, or never: its rate with its interval, what it is worth, when it comes next.',
    properties: {
      log,
      crawls,
      interval,
      page: { type: 'string', description: 'The page, as the log names it' },
      objective,
    },
    required: ['log', 'crawls', 'page'],
    async run(input, hands) {
      const answer = await plan(input, hands);
      const { solution } = answer.content;
      if (answer.refused || !isSolution(solution)) return answer;
      const at = solution.pages.findIndex(({ id }) => id === input.page);
      if (at < 0) return refusal(`the log has no page ${JSON.stringify(input.page)}`);
      const read = logOf(input);
      const now = isRefused(read) ? 0 : Math.ceil(read.to);
      const explanation = explainAnswered(solution, at, {
        now,
        interval: input.interval ?? day,
        objective: input.objective,
      });
      return { refused: false, content: { explanation, page: solution.pages[at], price: solution.shadowPrice } };
    },
  },
  {
    name: 'describe_operation',
    description:
      'Without a name: every operation with the question it answers. With one: its JSON Schema, what it does, and an example’s name.',
    properties: { operation: { type: 'string', description: 'Such as crawler-count or estimates/host-limits' } },
    required: [],
    run(input, hands) {
      if (input.operation === undefined) {
        const operations = Object.fromEntries(hands.operations.map(({ name, summary }) => [name, summary]));
        return { refused: false, content: { operations } };
      }
      const operation = operationOf(input.operation, hands);
      if ('refused' in operation) return operation;
      const { name, summary, description, requestSchema } = operation;
      return { refused: false, content: { name, summary, description, request: requestJsonSchema(requestSchema) } };
    },
  },
  {
    name: 'ask_operation',
    description:
      'Asks any operation by name with a request of its schema (describe_operation). Refusals say what would be accepted.',
    properties: {
      operation: { type: 'string', description: 'Such as crawler-count' },
      request: { type: 'object', description: 'As its schema says' },
    },
    required: ['operation', 'request'],
    run(input, hands) {
      const operation = operationOf(input.operation, hands);
      return 'refused' in operation ? operation : hands.ask(operation, input.request);
    },
  },
];
