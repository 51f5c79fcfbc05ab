/**
 * Problem details (RFC 9457): the one form in which a request is refused, and how zod's issues become it.
 */
import * as z from 'zod';
import { didYouMean } from '../words/suggest.ts';
import { suggestNumber } from '../words/suggest-number.ts';
import { type FieldCode, isFieldCode } from './codes.ts';
import { plain } from './field.ts';
import { maxShownErrors, shortenName } from './strict-object.ts';

export { maxShownErrors } from './strict-object.ts';

export const problemContentType = 'application/problem+json';

/** The fault of one value of the request. */
const fieldErrorSchema = z
  .object({
    pointer: z.string().describe('JSON pointer (RFC 6901) to the value, e.g. /pages/3/changeRate'),
    code: z.string().describe('Stable code, e.g. too_small; docs/errors.md lists all'),
    detail: z.string().describe('What is wrong with the value, and what is accepted'),
  })
  .meta({ id: 'FieldError', ...plain('What is wrong with one value of the request') });

export const problemSchema = z
  .object({
    type: z.string().describe('URI reference that names the kind of problem'),
    title: z.string().describe('The kind of problem in a few words'),
    status: z.int().describe('HTTP status code'),
    detail: z.string().describe('What happened, and what to change'),
    instance: z.string().describe('Request id, as in the X-Request-Id header and the log'),
    errors: z
      .array(fieldErrorSchema)
      .max(maxShownErrors)
      .optional()
      .describe(`At most ${maxShownErrors} of the values that were refused`),
    errorCount: z.int().optional().describe('How many values were refused in all'),
  })
  .meta({ id: 'Problem', ...plain('Problem details (RFC 9457)') });

export type FieldError = z.output<typeof fieldErrorSchema>;
/** A problem without its instance, which only the HTTP layer knows. */
export type Problem = Omit<z.output<typeof problemSchema>, 'instance'> & { readonly retryAfterSeconds?: number };

/** The one catalogue of problems: stable `type`, `status` and `title` of each kind. */
export const problemKinds = {
  'not-json': { status: 400, title: 'The body is not JSON' },
  'not-arrow': { status: 400, title: 'The body is not an Arrow stream' },
  'bad-request': { status: 400, title: 'The request cannot be read' },
  unauthorized: { status: 401, title: 'An API key is required' },
  'not-found': { status: 404, title: 'No such resource' },
  'method-not-allowed': { status: 405, title: 'Method not allowed here' },
  'not-acceptable': { status: 406, title: 'No acceptable representation' },
  'too-slow': { status: 408, title: 'The request did not arrive in time' },
  'too-large': { status: 413, title: 'The body is too large' },
  'uri-too-long': { status: 414, title: 'The address is too long' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  'expectation-failed': { status: 417, title: 'The expectation cannot be met' },
  'invalid-request': { status: 422, title: 'The request does not fit the schema or the model' },
  'unreadable-log': { status: 422, title: 'The crawl log cannot be read' },
  'too-much-work': { status: 422, title: 'The request asks for more work than this server accepts' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'The headers are too large' },
  internal: { status: 500, title: 'Internal error' },
  'worker-failed': { status: 500, title: 'The worker that ran this request failed' },
  busy: { status: 503, title: 'Busy' },
  draining: { status: 503, title: 'Shutting down' },
  'time-limit': { status: 504, title: 'Time limit reached with nothing to return' },
} as const satisfies Record<string, { status: number; title: string }>;

type ProblemKind = keyof typeof problemKinds;

/** A request that was refused, or a solve that ended with nothing to return. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  /** The problem details the service sends (RFC 9457). */
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.detail, options);
    this.problem = problem;
  }

  /** The faults of single values of the request, at most 20; empty if the request is not to blame. */
  get errors(): readonly FieldError[] {
    return this.problem.errors ?? [];
  }
}

/** A problem of a kind of the catalogue. */
export function problem(kind: ProblemKind, detail: string, extra: Partial<Problem> = {}): Problem {
  const { status, title } = problemKinds[kind];
  return { type: `urn:crawl-optimizer:problem:${kind}`, title, status, detail, ...extra };
}

/** The kind of problem for an HTTP status that Fastify or one of its plugins chose. */
export function problemKindOf(status: number): ProblemKind {
  const kind = Object.keys(problemKinds)
    .filter(isProblemKind)
    .find((name) => problemKinds[name].status === status);
  return kind ?? (status < 500 ? 'bad-request' : 'internal');
}

const isProblemKind = (name: string): name is ProblemKind => name in problemKinds;

/** The path as a JSON pointer (RFC 6901). */
function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The value as it may be quoted in a message: short, and never the whole of a large input. */
export function quoteValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') {
    return JSON.stringify(shortenName(value));
  }
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}

/** A fault of a value: its path inside the value, the code, what was found and what would be accepted. */
export interface Fault {
  readonly path?: readonly PropertyKey[];
  readonly code: FieldCode;
  readonly message: string;
  /** How many more values are wrong in the same way and not described. */
  readonly more?: number;
}

/** The 422 that says what is wrong, from zod's issues (parsed with `reportInput`). */
export function invalidRequest(issues: readonly z.core.$ZodIssue[]): Problem {
  const errors: FieldError[] = [];
  let errorCount = 0;
  for (const issue of issues) {
    for (const { path = [], code, message, more = 0 } of describeIssue(issue)) {
      errorCount += 1 + more;
      if (errors.length < maxShownErrors) errors.push({ pointer: jsonPointer(path), code, detail: message });
    }
  }
  const first = errors[0];
  const place = first.pointer === '' ? 'the request' : first.pointer;
  const rest = errorCount > 1 ? ` (and ${errorCount - 1} more)` : '';
  return problem('invalid-request', `${place}: ${first.detail}${rest}`, { errors, errorCount });
}

/** The 422 for one condition of the model that is not met. */
export function conditionNotMet(path: readonly PropertyKey[], code: string, detail: string): Problem {
  return problem('invalid-request', `${jsonPointer(path) || 'the request'}: ${detail}`, {
    errors: [{ pointer: jsonPointer(path), code, detail }],
    errorCount: 1,
  });
}

/** The faults that one zod issue stands for: path, code and message of each. An unknown property has its own path. */
export function describeIssue(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    // The message of a closed object has a line for each unknown key that is described.
    const lines = issue.message.split('\n');
    return issue.keys.map((key, i) => ({
      path: [...issue.path, shortenName(key)],
      code: 'unrecognized_key',
      message: lines[i] ?? 'unknown property',
    }));
  }
  const { path } = issue;
  if (issue.code === 'custom') {
    const { code, more } = issue.params ?? {};
    const fieldCode = isFieldCode(code) ? code : 'invalid_value';
    return [{ path, code: fieldCode, message: issue.message, more: typeof more === 'number' ? more : 0 }];
  }
  const meantIssues = issue.code === 'invalid_union' ? intendedForm(issue) : undefined;
  if (meantIssues) {
    return meantIssues.flatMap(describeIssue).map((fault) => ({ ...fault, path: [...path, ...(fault.path ?? [])] }));
  }
  return [{ path, code: isFieldCode(issue.code) ? issue.code : 'invalid_value', message: detailOf(issue) }];
}

/** The number of faults that issues stand for, at a tenth of the time it takes to describe them. */
export function countFaults(issues: readonly z.core.$ZodRawIssue[]): number {
  let count = 0;
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') count += issue.keys.length;
    else count += 1 + (issue.code === 'custom' && typeof issue.params?.more === 'number' ? issue.params.more : 0);
  }
  return count;
}

/** Codes of an issue about a whole value: it is of another kind than a form of a union. */
const wholeValueCodes: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

/** The issues of the one form of a union that is of the value's kind, such as an object; undefined for none or many. */
function intendedForm(issue: z.core.$ZodIssueInvalidUnion): readonly z.core.$ZodIssue[] | undefined {
  const forms = issue.errors.filter((issues) =>
    issues.every(({ path, code }) => path.length > 0 || !wholeValueCodes.has(code)),
  );
  return forms.length === 1 ? forms[0] : undefined;
}

function detailOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `is required: ${withArticle(issue.expected)}`
        : `must be ${withArticle(issue.expected)}; got ${quoteValue(issue.input)}${/^(number|int)$/.test(issue.expected) ? suggestNumber(issue.input) : ''}`;
    case 'too_small':
      return `${limit(issue.origin, issue.inclusive === false ? `more than ${issue.minimum}` : minimumText(issue.minimum))}; got ${sizeOf(issue)}`;
    case 'too_big':
      return `${limit(issue.origin, `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`)}; got ${sizeOf(issue)}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => quoteValue(value)).join(' or ')}; got ${quoteValue(issue.input)}${didYouMeanHint(issue.input, issue.values)}`;
    case 'invalid_union':
      if ('options' in issue && Array.isArray(issue.options)) {
        const field = 'discriminator' in issue && typeof issue.discriminator === 'string' ? issue.discriminator : '';
        const got: unknown =
          typeof issue.input === 'object' && issue.input !== null ? Reflect.get(issue.input, field) : issue.input;
        // a message of the schema's own is appended; zod's begin with Invalid
        const hint = /^Invalid/.test(issue.message) ? '' : `; ${issue.message}`;
        return `must be one of ${issue.options.map((option) => quoteValue(option)).join(', ')}; got ${quoteValue(got)}${didYouMeanHint(got, issue.options)}${hint}`;
      }
      return `must be ${[...new Set(acceptedForms(issue))].join(' or ')}; got ${quoteValue(issue.input)}`;
    default:
      return `${issue.message}; got ${quoteValue(issue.input)}`;
  }
}

/** `; did you mean "exponential"?` for a word that is spelled like one of those that are accepted. */
export function didYouMeanHint(got: unknown, accepted: readonly unknown[]): string {
  if (typeof got !== 'string') return '';
  const hint = didYouMean(
    got,
    accepted.filter((word) => typeof word === 'string'),
  );
  return hint === '' ? '' : `; ${hint}`;
}

/** The accepted forms of a union, in words. */
function acceptedForms({ errors }: z.core.$ZodIssueInvalidUnion): string[] {
  return errors.flatMap(([issue]) => {
    if (issue.code === 'invalid_type') return withArticle(issue.expected);
    if (issue.code === 'invalid_value') return issue.values.map(quoteValue);
    return issue.code === 'invalid_union' ? acceptedForms(issue) : [];
  });
}

function withArticle(expected: string): string {
  if (expected === 'int') return 'an integer';
  return `${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected === 'number' ? 'finite number' : expected}`;
}

/** Whether a least value means "above 0": so small a one only keeps out what would overflow. */
export const meansPositive = (bound: number | bigint): boolean => bound > 0 && bound < 1e-9;

/** A least value for people: `at least 1`, `above 0 (at least 1e-15)`. */
export const minimumText = (bound: number | bigint): string =>
  meansPositive(bound) ? `above 0 (at least ${bound})` : `at least ${bound}`;

function limit(origin: string, bound: string): string {
  if (origin === 'array') return `must have ${bound} items`;
  if (origin === 'string') return `must have ${bound} characters`;
  return `must be ${bound}`;
}

function sizeOf(issue: z.core.$ZodIssue): string {
  const { input } = issue;
  if (Array.isArray(input)) return String(input.length);
  if (typeof input === 'string') return String(input.length);
  return quoteValue(input);
}
