/**
 * Takes the crawler's own fetches from a log with lines of other user agents: those whose agent contains a text, or else
 * those of the commonest agent among the first lines.
 */
import { excerpt, type LogRecord, LogRefusal, type UserAgent } from './log-record.ts';

/** First lines from which the crawler's user agent is determined. */
const maxPendingLines = 1000;
/** Largest share of lines from other user agents if none was chosen. */
const maxOtherShare = 0.1;

export class AgentFilter {
  readonly #requiredText: string | undefined;
  readonly #take: (record: LogRecord, line: number) => void;
  readonly #passOver: (reason: string, example: string) => void;
  readonly #lines = new Map<string, number>();
  /** The crawler's user agent; null until determined. */
  #ownAgent: string | null = null;
  #pending: (readonly [record: LogRecord, line: number])[] = [];

  constructor(
    requiredText: string | undefined,
    take: (record: LogRecord, line: number) => void,
    passOver: (reason: string, example: string) => void,
  ) {
    this.#requiredText = requiredText;
    this.#take = take;
    this.#passOver = passOver;
  }

  /** Fetches that wait until the agent is determined. */
  get waiting(): number {
    return this.#pending.length;
  }

  /** Takes a fetch, or passes it over; one without an agent is the crawler's. */
  push(record: LogRecord, line: number): void {
    const { agent } = record;
    if (agent === undefined) {
      this.#take(record, line);
      return;
    }
    this.#lines.set(agent, (this.#lines.get(agent) ?? 0) + 1);
    if (this.#requiredText !== undefined || this.#ownAgent !== null) this.#sift(record, agent, line);
    else if (this.#pending.push([record, line]) >= maxPendingLines) this.#choose();
  }

  /** @throws LogRefusal if too many lines are of other agents and none was chosen */
  end(): void {
    this.#choose();
    const agents = this.#agents;
    const lines = agents.reduce((sum, each) => sum + each.lines, 0);
    const otherLines = lines - (this.#lines.get(this.#ownAgent ?? '') ?? 0);
    if (this.#requiredText !== undefined || otherLines <= maxOtherShare * lines) return;
    const examples = agents.slice(0, 3).map(({ agent }) => excerpt(agent));
    const names = `${examples.join(', ')}${agents.length > examples.length ? ', …' : ''}`;
    throw new LogRefusal(`the log has ${agents.length} user agents (${names})`, '--agent with the crawler’s', agents);
  }

  /** The agents, most lines first. */
  get #agents(): UserAgent[] {
    return Array.from(this.#lines, ([agent, lines]) => ({ agent, lines })).sort((a, b) => b.lines - a.lines);
  }

  #choose(): void {
    this.#ownAgent ??= this.#agents[0]?.agent ?? null;
    for (const [record, line] of this.#pending) this.#sift(record, record.agent ?? '', line);
    this.#pending = [];
  }

  #sift(record: LogRecord, agent: string, line: number): void {
    const isOwn = this.#requiredText === undefined ? agent === this.#ownAgent : agent.includes(this.#requiredText);
    if (isOwn) {
      this.#take(record, line);
      return;
    }
    const hint =
      this.#ownAgent === null ? '' : ` than ${excerpt(this.#ownAgent)} (--agent takes those that contain a text)`;
    this.#passOver(`of other user agents${hint}`, agent);
  }
}
