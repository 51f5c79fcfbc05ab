import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { wantsEvents } from '../../src/routes/event-stream.ts';
import { sharedService } from './test-service.ts';

const service = await sharedService();

interface Event {
  readonly name: string;
  readonly data: Record<string, unknown>;
}

const post = (operation: string, body: string) =>
  fetch(`${service.url}/v1/test/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body,
  });

/** The events of a stream, read by the letter of the specification: blocks of lines, comments left out. */
function parse(text: string): Event[] {
  expect(text.endsWith('\n\n')).toBe(true);
  return text
    .split('\n\n')
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) => {
      const [event, data, ...rest] = block.split('\n');
      expect(rest).toEqual([]);
      return { name: event.replace('event: ', ''), data: JSON.parse(data.replace('data: ', '')) };
    });
}

async function eventsOf(operation: string, body: object): Promise<Event[]> {
  const response = await post(operation, JSON.stringify(body));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  return parse(await response.text());
}

describe('a caller that accepts text/event-stream', () => {
  it('gets the progress of a long solve, and then its answer', async () => {
    const events = await eventsOf('spin', { value: 200 });
    expect(events.map(({ name }) => name)).toEqual(['progress', 'answer']);
    expect(events[0].data).toEqual({ fraction: 0.25, incumbent: 2, bound: 1 });
    expect(events[1].data).toMatchObject({
      status: 'evaluated',
      solution: { value: 0 },
      statistics: { solver: 'spin' },
    });
  });

  it('gets only the answer event for a short solve, with the same object as without events', async () => {
    const [event, ...rest] = await eventsOf('echo', { value: 7 });
    expect(rest).toEqual([]);
    expect(event.name).toBe('answer');
    const plain = await supertest(service.url).post('/v1/test/echo').send({ value: 7 });
    expect(event.data.solution).toEqual(plain.body.solution);
    expect(Object.keys(event.data)).toEqual(Object.keys(plain.body));
  });

  it('gets a refusal as a problem event with its pointer and the request id', async () => {
    const response = await post('echo', '{"value":"x"}');
    const [event] = parse(await response.text());
    expect(event.name).toBe('problem');
    expect(event.data).toMatchObject({ status: 422, errors: [{ pointer: '/value' }] });
    expect(event.data.instance).toBe(response.headers.get('x-request-id'));
  });

  it.each([
    ['a time limit with nothing to return', 'empty-handed', { value: 60_000, options: { timeLimitMs: 50 } }, 504],
    ['a worker that dies', 'exit', { value: 1 }, 500],
    ['a fault on the event loop', 'throw-inline', { value: 1 }, 500],
  ])('gets %s as a problem event', async (_, operation, body, status) => {
    const last = (await eventsOf(operation, body)).at(-1);
    expect(last?.name).toBe('problem');
    expect(last?.data.status).toBe(status);
    expect(JSON.stringify(last)).not.toContain('secret');
  });
});

describe('the Accept header', () => {
  it.each([
    ['text/event-stream', true],
    ['application/json;q=0.5, text/event-stream', true],
    ['Text/Event-Stream;charset=utf-8', true],
    ['text/event-stream;q=0', false],
    ['*/*', false],
    ['application/json', false],
    [undefined, false],
  ])('%s asks for events: %s', (accept, expected) => {
    expect(wantsEvents(accept)).toBe(expected);
  });
});
