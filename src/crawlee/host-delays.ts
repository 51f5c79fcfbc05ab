/**
 * Adaptive delay between a Crawlee crawler's requests to a host, by its refusals (429, 503). Put `waitForTurn` into
 * `preNavigationHooks` and `recordFetch` into `postNavigationHooks`.
 *
 * The rate is halved if more than the tolerated share of the requests was refused, and otherwise raised by a fixed
 * share of the host's highest sustained rate (Chiu & Jain 1989). A request that was sent before the last change of the
 * delay does not count for the new delay, so that refusals in flight together count once. The ports to Python and Java
 * are tested with the same event streams.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { nextDelay } from '../solvers/host-limits/index.ts';
import { type FetchContext, readFetch } from './crawl-log.ts';

/** Requests without too many refusals after which the delay is shortened. */
const batch = 100;
/** Tolerated share of refusals; rate increase, as a share of the highest sustained rate. */
const maxRefusalShare = 0.01;
const increase = 0.1;
/** Delay in seconds after a host's first refusal, and the longest delay. */
const firstDelay = 1;
const maxDelay = 86_400;

interface Host {
  /** Delay between two requests in seconds, and the time it took effect. */
  delay: number;
  delaySince: number;
  /** The shortest delay in seconds at which a batch had no refusal; 0 until there is one. */
  sustainedDelay: number;
  /** Requests sent since the delay took effect. */
  requests: number;
  refusals: number;
  /** End of the host's Retry-After, and the time of the next allowed request. */
  retryTime: number;
  nextTime: number;
}

export interface HostDelayOptions {
  /** Minimum delay of every host, seconds. */
  readonly minDelay?: number;
  /** Initial delays in seconds, by host with port. */
  readonly delays?: Readonly<Record<string, number>>;
}

/** Result of a request; times in epoch seconds. */
export interface HostAnswer {
  readonly status: number;
  readonly sendTime: number;
  readonly retryAfter?: string | undefined;
}

export class HostDelays {
  readonly #hosts = new Map<string, Host>();
  readonly #sendTimes = new WeakMap<object, number>();
  readonly #minDelay: number;
  readonly #delays: Readonly<Record<string, number>>;

  constructor({ minDelay = 0, delays = {} }: HostDelayOptions = {}) {
    this.#minDelay = minDelay;
    this.#delays = delays;
  }

  /** Waits until the host of a request may be fetched. Waiting reserves nothing, so a new delay holds for all waiters. */
  async waitForTurn({ request }: { readonly request: { readonly url: string } }): Promise<void> {
    for (;;) {
      const now = Date.now() / 1000;
      const pause = this.takeTurn(request.url, now);
      if (pause === 0) {
        this.#sendTimes.set(request, now);
        return;
      }
      await wait(Math.min(1000 * pause, 2 ** 31 - 1));
    }
  }

  /** Records the response of a request that `waitForTurn` let pass. */
  recordFetch(fetch: FetchContext): void {
    const headers = fetch.response?.headers;
    const retryAfter = [(typeof headers === 'function' ? headers() : headers)?.['retry-after']].flat()[0];
    const now = Date.now() / 1000;
    const sendTime = this.#sendTimes.get(fetch.request) ?? now;
    this.recordAnswer(fetch.request.url, { status: readFetch(fetch).status, sendTime, retryAfter }, now);
  }

  /** The current delay of each host in seconds, to start the next run with. */
  delays(): Record<string, number> {
    return Object.fromEntries([...this.#hosts].map(([name, { delay }]) => [name, delay]));
  }

  /** Seconds until a request may be sent; 0 counts it as sent. */
  takeTurn(url: string, now: number): number {
    const host = this.#hostOf(url, now);
    const pause = Math.max(0, host.nextTime - now, host.retryTime - now);
    if (pause === 0) host.nextTime = now + host.delay;
    return pause;
  }

  /** Records a status; a full batch or too many refusals change the host's delay. Times in epoch seconds. */
  recordAnswer(url: string, { status, sendTime, retryAfter }: HostAnswer, now: number): void {
    const host = this.#hostOf(url, sendTime);
    const isRefusal = status === 429 || status === 503;
    if (sendTime >= host.delaySince) {
      host.requests++;
      if (isRefusal) host.refusals++;
    }
    if (host.refusals > Math.max(1, maxRefusalShare * host.requests) || host.requests >= batch) this.#step(host, now);
    const pause = isRefusal ? retryAfterSeconds(retryAfter, now) : null;
    if (pause !== null) host.retryTime = Math.max(host.retryTime, now + pause);
  }

  #step(host: Host, now: number): void {
    const { delay, requests, refusals } = host;
    if (refusals === 0 && (host.sustainedDelay === 0 || delay < host.sustainedDelay)) host.sustainedDelay = delay;
    if (delay > 0) {
      const sustainableDelay = host.sustainedDelay || delay;
      const step = { delay, sustainableDelay, increase, requests, refusals, maxRefusalShare, minDelay: this.#minDelay };
      host.delay = Math.min(maxDelay, nextDelay(step));
    } else if (refusals > 0) host.delay = Math.max(firstDelay, this.#minDelay);
    host.nextTime += host.delay - delay;
    host.delaySince = now;
    host.requests = 0;
    host.refusals = 0;
  }

  #hostOf(url: string, now: number): Host {
    const name = URL.parse(url)?.host ?? '';
    const existingHost = this.#hosts.get(name);
    if (existingHost !== undefined) return existingHost;
    const delay = Math.max(this.#minDelay, this.#delays[name] ?? 0);
    const host: Host = {
      delay,
      delaySince: now,
      sustainedDelay: 0,
      requests: 0,
      refusals: 0,
      retryTime: 0,
      nextTime: 0,
    };
    this.#hosts.set(name, host);
    return host;
  }
}

/** Seconds of a Retry-After: a number, or a date in one of the three forms of RFC 9110 (5.6.7); null for neither. */
export function retryAfterSeconds(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(maxDelay, Number(text));
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return null;
  // The form of asctime names no zone and is in UTC.
  const seconds = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) / 1000 - now;
  return Number.isFinite(seconds) ? Math.min(maxDelay, Math.max(0, seconds)) : null;
}
