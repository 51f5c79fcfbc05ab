/** Delays of hosts, by what a host refuses. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { retryAfterSeconds } from '../../src/crawlee/host-delays.ts';
import { HostDelays } from '../../src/crawlee/index.ts';

const url = 'https://a.example/x';

interface Vectors {
  readonly streams: readonly {
    readonly concurrency: number;
    readonly events: readonly (readonly [number, number, number, number | null, number])[];
  }[];
  readonly retryAfter: { readonly now: number; readonly cases: readonly (readonly [string, number | null])[] };
}

/** From scripts/reference/host_delays.py; the copies in Python and Java are held to the same file. */
const { streams, retryAfter }: Vectors = JSON.parse(readFileSync('test/fixtures/host-delays.json', 'utf8'));

/** A host that bears a request every `every` seconds, `burst` at once, and may say when to come back. */
function bucket(every: number, burst: number, tells: boolean) {
  let tokens = burst;
  let last = 0;
  return (time: number): { readonly status: number; readonly retryAfter?: string } => {
    tokens = Math.min(burst, tokens + (time - last) / every);
    last = time;
    if (tokens < 1) return { status: 429, ...(tells && { retryAfter: String(Math.ceil((1 - tokens) * every)) }) };
    tokens--;
    return { status: 200 };
  };
}

/** When the next request is made. */
function nextTurn(delays: HostDelays, page: string, from: number): number {
  let time = from;
  for (let pause = delays.takeTurn(page, time); pause > 0; pause = delays.takeTurn(page, time)) time += pause;
  return time;
}

describe('delays of hosts', () => {
  it.each(streams)('follow $concurrency requests at once as recorded', ({ events }) => {
    const delays = new HostDelays();
    delays.takeTurn(url, 0);
    const found = events.map(([sendTime, answered, status]) => {
      delays.recordAnswer(url, { status, sendTime }, answered);
      return delays.delays()['a.example'];
    });
    expect(found).toEqual(events.map(([, , , , delay]) => expect.closeTo(delay, 9)));
    expect(new Set(found).size).toBeGreaterThan(2);
  });

  it.each([1, 8, 16, 32])('come back from refusals at once: %i in flight', (inFlight) => {
    const delays = new HostDelays();
    for (let k = 0; k < inFlight; k++) expect(delays.takeTurn(url, 0)).toBe(0);
    for (let k = 0; k < inFlight; k++) delays.recordAnswer(url, { status: 429, sendTime: 0 }, 0.1 + k / 100);
    expect(delays.delays()['a.example']).toBeLessThanOrEqual(1);
    let time = 1;
    for (let k = 0; k < 500; k++) {
      time = nextTurn(delays, url, time);
      delays.recordAnswer(url, { status: 200, sendTime: time }, time + 0.05);
    }
    expect(delays.delays()['a.example']).toBeLessThan(1);
  });

  it.each([false, true])(
    'keep to a bucket of tokens: few refusals, most of the rate; told when to come back: %s',
    (tells) => {
      const delays = new HostDelays();
      const host = bucket(3, 10, tells);
      let refusals = 0;
      let time = 0;
      const requests = 6000;
      for (let k = 0; k < requests; k++) {
        time = nextTurn(delays, url, time);
        const answer = host(time);
        if (answer.status === 429) refusals++;
        delays.recordAnswer(url, { ...answer, sendTime: time }, time + 0.05);
        time += 0.05;
      }
      expect(refusals / requests).toBeLessThan(0.06);
      expect(((requests - refusals) * 3) / time).toBeGreaterThan(0.6);
    },
  );

  it('leave a host that refuses nothing as it is, and begin with what is known', () => {
    const delays = new HostDelays({ minDelay: 0.5, delays: { 'b.example': 7 } });
    let time = 0;
    for (let k = 0; k < 500; k++) {
      time = nextTurn(delays, url, time);
      delays.recordAnswer(url, { status: 200, sendTime: time }, time);
    }
    expect(time).toBeCloseTo(499 * 0.5, 6);
    expect(delays.takeTurn('https://b.example/', 0)).toBe(0);
    expect(delays.takeTurn('https://b.example/', 0)).toBe(7);
    expect(delays.delays()).toMatchObject({ 'a.example': 0.5, 'b.example': 7 });
  });

  it('wait as Retry-After says', () => {
    const delays = new HostDelays();
    delays.recordAnswer(url, { status: 503, sendTime: 999, retryAfter: '90' }, 1000);
    expect(delays.takeTurn(url, 1001)).toBe(89);
  });
});

describe('Retry-After', () => {
  it.each(retryAfter.cases)('%s is %s seconds', (header, seconds) => {
    expect(retryAfterSeconds(header, retryAfter.now)).toBe(seconds);
  });
});
