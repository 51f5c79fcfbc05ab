/**
 * How fast a Crawlee crawler asks each host: by what the host refused (429, 503). Put `before` into
 * `preNavigationHooks` and `add` into `postNavigationHooks`.
 *
 * The rate is halved where more than the tolerated share of the requests was refused, and otherwise raised by a fixed
 * share of the rate that the host bears (Chiu & Jain 1989). A request that was sent before the delay last changed says
 * nothing of the delay in force, so that refusals in flight together count once. The copies in Python and Java are held
 * to the same event streams.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { nextDelay } from '../solvers/host-limits/index.ts';
import { answerOf, type SeenFetch } from './crawl-log.ts';

/** Requests after which a delay that was borne is shortened. */
const batch = 100;
/** Share of them that may be refused, and by which share of the rate a host bears its rate is raised. */
const tolerated = 0.01;
const increase = 0.1;
/** Seconds: the delay of a host that has none yet, once it refuses; and the longest. */
const firstDelay = 1;
const longest = 86_400;

interface Host {
  /** Seconds between two requests, and since when. */
  delay: number;
  since: number;
  /** The shortest delay at which nothing was refused; 0 while there is none. */
  borne: number;
  /** Sent since the delay came into force. */
  requests: number;
  refusals: number;
  /** Until when the host asked to be left alone, and when it may be asked next. */
  until: number;
  next: number;
}

export interface HostDelayOptions {
  /** No host is asked more often, in seconds. */
  readonly least?: number;
  /** Delays known already, in seconds, by host with its port. */
  readonly delays?: Readonly<Record<string, number>>;
}

/** How a request ended; `asked` is when it was sent, in epoch seconds. */
export interface HostAnswer {
  readonly status: number;
  readonly asked: number;
  readonly retryAfter?: string | undefined;
}

export class HostDelays {
  readonly #hosts = new Map<string, Host>();
  readonly #asked = new WeakMap<object, number>();
  readonly #least: number;
  readonly #delays: Readonly<Record<string, number>>;

  constructor({ least = 0, delays = {} }: HostDelayOptions = {}) {
    this.#least = least;
    this.#delays = delays;
  }

  /** Waits until the host of a request may be asked. Nothing is reserved, so that a new delay holds for all who wait. */
  async before({ request }: { readonly request: { readonly url: string } }): Promise<void> {
    for (;;) {
      const now = Date.now() / 1000;
      const pause = this.turn(request.url, now);
      if (pause === 0) {
        this.#asked.set(request, now);
        return;
      }
      await wait(Math.min(1000 * pause, 2 ** 31 - 1));
    }
  }

  add(seen: SeenFetch): void {
    const given = seen.response?.headers;
    const retryAfter = [(typeof given === 'function' ? given() : given)?.['retry-after']].flat()[0];
    const now = Date.now() / 1000;
    const asked = this.#asked.get(seen.request) ?? now;
    this.note(seen.request.url, { status: answerOf(seen).status, asked, retryAfter }, now);
  }

  /** The seconds in force between two requests of each host, to begin with the next time. */
  delays(): Record<string, number> {
    return Object.fromEntries([...this.#hosts].map(([name, { delay }]) => [name, delay]));
  }

  /** Seconds until a request may be made; at 0 it is taken for made. */
  turn(url: string, now: number): number {
    const host = this.#hostOf(url, now);
    const pause = Math.max(0, host.next - now, host.until - now);
    if (pause === 0) host.next = now + host.delay;
    return pause;
  }

  note(url: string, { status, asked, retryAfter }: HostAnswer, now: number): void {
    const host = this.#hostOf(url, asked);
    const isRefusal = status === 429 || status === 503;
    if (asked >= host.since) {
      host.requests++;
      if (isRefusal) host.refusals++;
    }
    if (host.refusals > Math.max(1, tolerated * host.requests) || host.requests >= batch) this.#step(host, now);
    const pause = isRefusal ? retryAfterSeconds(retryAfter, now) : null;
    if (pause !== null) host.until = Math.max(host.until, now + pause);
  }

  #step(host: Host, now: number): void {
    const { delay, requests, refusals } = host;
    if (refusals === 0 && (host.borne === 0 || delay < host.borne)) host.borne = delay;
    if (delay > 0) {
      const sustainableDelay = host.borne || delay;
      const step = { delay, sustainableDelay, increase, requests, refusals, tolerated, least: this.#least };
      host.delay = Math.min(longest, nextDelay(step));
    } else if (refusals > 0) host.delay = Math.max(firstDelay, this.#least);
    host.next += host.delay - delay;
    host.since = now;
    host.requests = 0;
    host.refusals = 0;
  }

  #hostOf(url: string, now: number): Host {
    const name = URL.parse(url)?.host ?? '';
    const known = this.#hosts.get(name);
    if (known !== undefined) return known;
    const delay = Math.max(this.#least, this.#delays[name] ?? 0);
    const host: Host = { delay, since: now, borne: 0, requests: 0, refusals: 0, until: 0, next: 0 };
    this.#hosts.set(name, host);
    return host;
  }
}

/** Seconds of a Retry-After: a number, or a date in one of the three forms of RFC 9110 (5.6.7); null for neither. */
export function retryAfterSeconds(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(longest, Number(text));
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return null;
  // The form of asctime names no zone and is in UTC.
  const seconds = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) / 1000 - now;
  return Number.isFinite(seconds) ? Math.min(longest, Math.max(0, seconds)) : null;
}
