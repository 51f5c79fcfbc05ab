/** Shares that were measured: of right signals, of refusals by host, of copies that are current. */
import type { Findings } from '../findings.ts';
import { listIn, numberIn, numbersIn, objectAt, textIn, type WireObject, WireTable } from '../wire.ts';

/** A value within its interval. */
function checkInterval(told: unknown, field: string, findings: Findings): number {
  const part = objectAt(told);
  const value = numberIn(part, 'value');
  const [low, high] = numbersIn(part, 'interval');
  findings.expect(
    `${field}.interval`,
    low <= value && value <= high,
    `${field}: ${value} is not within ${low} to ${high}`,
  );
  return value;
}

/** Counts by host; values within their intervals; right signals are the signalled changes. */
export function checkChangeSignals(request: WireObject, answer: WireObject, findings: Findings): void {
  const pages = new WireTable(request.pages, 'pages');
  const hosts = pages.texts('host');
  const checks = pages
    .lists('checks')
    .map((list) => (list ?? []).map((check) => listIn({ check }, 'check').map(Number)));
  for (const each of listIn(objectAt(answer, 'solution'), 'hosts')) {
    const told = objectAt(each);
    const name = textIn(told, 'host', '');
    const own = checks.filter((_, i) => (hosts[i] ?? '') === name);
    const all = own.flat();
    const field = 'solution.hosts';
    const of = `host ${name}`;
    findings.compare(`${field}.pages`, told.pages, own.length, { of });
    findings.compare(`${field}.checks`, told.checks, all.length, { of });
    const [precision, recall, signalRate, changeRate] = ['precision', 'recall', 'signalRate', 'changeRate'].map(
      (part) => checkInterval(told[part], `${field}.${part}`, findings),
    );
    for (const [part, value] of Object.entries({ precision, recall }))
      findings.expect(`${field}.${part}.value`, value > 0 && value < 1, `${of}: ${part} is ${value}`);
    const signalled = changeRate * recall;
    findings.compare(`${field}.signalRate.value`, signalRate, signalled / precision, { of });
    findings.compare(`${field}.changeRate.value`, changeRate, (signalRate * precision) / recall, { of });
  }
}

/** Requests and refusals are counted; the delay is positive and the next one none that is known to be refused. */
export function checkHostLimits(request: WireObject, answer: WireObject, findings: Findings): void {
  const rows = new WireTable(request.hosts, 'hosts');
  const hosts = new WireTable(objectAt(answer, 'solution').hosts, 'hosts', rows.length);
  const slowAfter = numberIn(request, 'slowAfter', Number.POSITIVE_INFINITY);
  const [delay, next, rate] = ['minDelay', 'nextDelay', 'maxRate'].map((name) => hosts.numbers(name, Number.NaN));
  const [requests, refusals] = ['requests', 'refusals'].map((name) => hosts.numbers(name));
  const intervals = hosts.lists('interval').map((list) => numbersIn({ list: list ?? [] }, 'list'));
  for (const [h, log] of rows.lists('requests').entries()) {
    const of = `host ${h}`;
    const refused = (log ?? []).filter((item) => {
      const seen = objectAt(item);
      const status = numberIn(seen, 'status');
      return (
        status === 429 || status === 503 || (status > 0 && status < 500 && numberIn(seen, 'latency', 0) > slowAfter)
      );
    });
    if (log !== null) {
      findings.compare('solution.hosts.requests', requests[h], log.length, { of });
      findings.compare('solution.hosts.refusals', refusals[h], refused.length, { of });
    }
    const [low, high] = intervals[h];
    findings.expect(
      'solution.hosts.interval',
      Number.isNaN(high) || low <= high,
      `${of}: ${low} to ${high} is no interval`,
    );
    if (!Number.isNaN(delay[h])) findings.compare('solution.hosts.maxRate', rate[h], 1 / delay[h], { of });
    const possible = Number.isNaN(next[h]) || next[h] >= low;
    findings.expect('solution.hosts.nextDelay', possible, `${of}: the next delay ${next[h]} is known to be refused`);
  }
}

/**
 * Measured freshness: the mean of the probes by weight, of all and by host. Of probes of one weight the interval, too,
 * by Theorem 2 of Waudby-Smith & Ramdas (2024), one formula a line.
 */
export function checkFreshness(request: WireObject, answer: WireObject, findings: Findings): void {
  const solution = objectAt(answer, 'solution');
  const table = new WireTable(request.probes, 'probes');
  const [time, weight] = [table.numbers('time'), table.numbers('weight', 1)];
  const hosts = table.texts('host');
  const probes = table
    .values('current')
    .map((seen, i) => ({ time: time[i], weight: weight[i], host: hosts[i], z: seen === true || seen === 1 ? 1 : 0 }))
    .sort((a, b) => a.time - b.time);
  const alpha = 1 - numberIn(request, 'confidence', 0.95);
  const check = (told: unknown, field: string, of: string, seen: readonly Probe[]): void => {
    const part = objectAt(told);
    const all = seen.reduce((sum, probe) => sum + probe.weight, 0);
    const current = seen.reduce((sum, probe) => sum + probe.weight * probe.z, 0);
    findings.compare(`${field}.value`, part.value, current / all, { of });
    findings.compare(`${field}.probes`, part.probes, seen.length, { of });
    checkInterval(part, field, findings);
    if (seen.some((probe) => probe.weight !== seen[0].weight)) return;
    const [low, high] = numbersIn(part, 'interval');
    const right = evenInterval(seen, alpha);
    findings.compare(`${field}.interval`, low, right[0], { of, size: 1 });
    findings.compare(`${field}.interval`, high, right[1], { of, size: 1 });
  };
  check(solution.freshness, 'solution.freshness', 'freshness', probes);
  for (const each of listIn(solution, 'byHost', true)) {
    const name = textIn(objectAt(each), 'host');
    check(
      each,
      'solution.byHost',
      `host ${name}`,
      probes.filter(({ host }) => host === name),
    );
  }
}

interface Probe {
  readonly z: number;
  readonly weight: number;
}

function evenInterval(seen: readonly Probe[], alpha: number): [number, number] {
  const level = Math.log(2 / alpha);
  let [sum, squares, bets, betSum, spread] = [0, 0, 0, 0, 0];
  for (const [i, { z }] of seen.entries()) {
    const t = i + 1;
    const mean = (0.5 + sum) / t;
    const variance = (0.25 + squares) / t;
    const bet = Math.min(0.5, Math.sqrt((2 * level) / (variance * t * Math.log(1 + t))));
    bets += bet;
    betSum += bet * z;
    spread += 4 * (z - mean) ** 2 * ((-Math.log1p(-bet) - bet) / 4);
    sum += z;
    squares += (z - (0.5 + sum) / (t + 1)) ** 2;
  }
  const [centre, half] = [betSum / bets, (level + spread) / bets];
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}
