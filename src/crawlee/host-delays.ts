/**
 * How fast a Crawlee crawler asks each host: by what the host refused (429, 503), as estimates/host-limits finds it in
 * the host's last requests. Put `before` into `preNavigationHooks` and `add` into `postNavigationHooks`.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { unlimitedBudget } from '../solvers/budget.ts';
import { answered, inconclusive, refused, solveHostLimits } from '../solvers/host-limits/index.ts';
import { answerOf, type SeenFetch } from './crawl-log.ts';

/** Requests after which a delay is looked at anew where nothing was refused, and how many are kept of a host. */
const batch = 100;
const kept = 5000;
/** Share of the requests that may be refused. */
const tolerated = 0.01;
/** Seconds: the delay of a host that refuses and has none yet, and the longest that a host is left alone for. */
const firstDelay = 1;
const longest = 86_400;

interface Request {
  readonly time: number;
  readonly status: number;
  readonly retryAfter: number;
}

interface Host {
  /** The one number that is carried, and since when it is in force. */
  delay: number;
  since: number;
  /** No request before then. */
  free: number;
  requests: number;
  refusals: number;
  readonly log: Request[];
}

export interface HostDelayOptions {
  /** No host is asked more often, in seconds. */
  readonly least?: number;
  /** Delays known already, in seconds, by host with its port. */
  readonly delays?: Readonly<Record<string, number>>;
}

export class HostDelays {
  readonly #hosts = new Map<string, Host>();
  readonly #least: number;
  readonly #delays: Readonly<Record<string, number>>;

  constructor({ least = 0, delays = {} }: HostDelayOptions = {}) {
    this.#least = least;
    this.#delays = delays;
  }

  /** Waits until the host of a request may be asked. */
  async before({ request }: { readonly request: { readonly url: string } }): Promise<void> {
    const now = Date.now() / 1000;
    const ahead = this.take(request.url, now) - now;
    if (ahead > 0) await wait(1000 * ahead);
  }

  add(seen: SeenFetch): void {
    const given = seen.response?.headers;
    const header = [(typeof given === 'function' ? given() : given)?.['retry-after']].flat()[0];
    this.note(seen.request.url, { status: answerOf(seen).status, retryAfter: header }, Date.now() / 1000);
  }

  /** The seconds in force between two requests of each host, to begin with the next time. */
  delays(): Record<string, number> {
    return Object.fromEntries([...this.#hosts].map(([name, { delay }]) => [name, delay]));
  }

  /** When a request may be made, which is then taken for made. */
  take(url: string, now: number): number {
    const host = this.#hostOf(url, now);
    const at = Math.max(now, host.free);
    host.free = at + host.delay;
    return at;
  }

  note(
    url: string,
    { status, retryAfter }: { readonly status: number; readonly retryAfter?: string },
    now: number,
  ): void {
    const host = this.#hostOf(url, now);
    const isRefusal = status === 429 || status === 503;
    const told = isRefusal ? secondsOf(retryAfter, now) : Number.NaN;
    host.log.push({ time: now, status, retryAfter: told });
    if (host.log.length > kept) host.log.shift();
    host.requests++;
    if (isRefusal) host.refusals++;
    if (told > 0) host.free = Math.max(host.free, now + told);
    if (host.requests >= batch || host.refusals > Math.max(1, tolerated * host.requests)) this.#step(host, now);
  }

  #step(host: Host, now: number): void {
    const { log } = host;
    const of = (each: (request: Request) => number): Float64Array => Float64Array.from(log, each);
    const { solution } = solveHostLimits(
      {
        log: {
          offsets: Uint32Array.of(0, log.length),
          time: of(({ time }) => time),
          outcome: Uint8Array.from(log, ({ status }) => outcomeOf(status)),
          retryAfter: of(({ retryAfter }) => retryAfter),
          latency: new Float64Array(log.length).fill(Number.NaN),
        },
        names: [''],
        outOfOrder: 0,
        tolerated,
        confidence: 0.95,
        memory: 5,
        connections: 1,
        increase: 0.1,
        delay: Float64Array.of(host.delay > 0 ? host.delay : Number.NaN),
        since: Float64Array.of(host.since),
      },
      unlimitedBudget(),
    );
    const steady = host.refusals > 0 || host.delay > 0;
    const found =
      solution.hosts[0].nextDelay ?? (host.refusals > 0 ? Math.max(firstDelay, 2 * host.delay) : host.delay);
    host.delay = steady ? Math.min(longest, Math.max(found, this.#least)) : this.#least;
    host.since = now;
    host.requests = 0;
    host.refusals = 0;
  }

  #hostOf(url: string, now: number): Host {
    const name = URL.parse(url)?.host ?? '';
    const known = this.#hosts.get(name);
    if (known !== undefined) return known;
    const delay = Math.max(this.#least, this.#delays[name] ?? 0);
    const host: Host = { delay, since: now, free: now, requests: 0, refusals: 0, log: [] };
    this.#hosts.set(name, host);
    return host;
  }
}

function outcomeOf(status: number): number {
  if (status === 429 || status === 503) return refused;
  return status === 304 || (status >= 200 && status < 500) ? answered : inconclusive;
}

/** Seconds of a Retry-After, which is a number or a date; NaN for neither. */
function secondsOf(header: string | undefined, now: number): number {
  if (header === undefined) return Number.NaN;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : Date.parse(header) / 1000 - now;
  return Math.min(longest, Math.max(0, seconds));
}
