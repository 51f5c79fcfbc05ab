/** Checks of measured shares: correct signals, refusals by host, current copies. */
import type { Findings } from '../findings.ts';
import { readList, readNumber, readNumbers, readObject, readText, sumOf, type WireObject, WireTable } from '../wire.ts';

/** Checks that a value lies in its confidence interval. */
function checkInterval(estimate: unknown, field: string, findings: Findings): number {
  const part = readObject(estimate);
  const value = readNumber(part, 'value');
  const [low, high] = readNumbers(part, 'interval');
  const isInside = low <= value && value <= high;
  findings.expect(`${field}.interval`, isInside, `${field}: ${value} is not within ${low} to ${high}`);
  return value;
}

/** Checks counts by host, confidence intervals, and correct signals against signalled changes. */
export function checkChangeSignals(request: WireObject, answer: WireObject, findings: Findings): void {
  const pages = new WireTable(request.pages, 'pages');
  const hosts = pages.texts('host');
  const checks = pages
    .lists('checks')
    .map((list) => (list ?? []).map((check) => readList({ check }, 'check').map(Number)));
  for (const item of readList(readObject(answer, 'solution'), 'hosts')) {
    const hostAnswer = readObject(item);
    const name = readText(hostAnswer, 'host', '');
    const checksByPage = checks.filter((_, i) => (hosts[i] ?? '') === name);
    const ownChecks = checksByPage.flat();
    const field = 'solution.hosts';
    const of = `host ${name}`;
    findings.compare(`${field}.pages`, hostAnswer.pages, checksByPage.length, { of });
    findings.compare(`${field}.checks`, hostAnswer.checks, ownChecks.length, { of });
    const [precision, recall, signalRate, changeRate] = ['precision', 'recall', 'signalRate', 'changeRate'].map(
      (part) => checkInterval(hostAnswer[part], `${field}.${part}`, findings),
    );
    for (const [part, value] of Object.entries({ precision, recall }))
      findings.expect(`${field}.${part}.value`, value > 0 && value < 1, `${of}: ${part} is ${value}`);
    const signalledChanges = changeRate * recall;
    findings.compare(`${field}.signalRate.value`, signalRate, signalledChanges / precision, { of });
    findings.compare(`${field}.changeRate.value`, changeRate, (signalRate * precision) / recall, { of });
  }
}

/** Checks counts of requests and refusals, and that the next delay is positive and not known to be refused. */
export function checkHostLimits(request: WireObject, answer: WireObject, findings: Findings): void {
  const rows = new WireTable(request.hosts, 'hosts');
  const hosts = new WireTable(readObject(answer, 'solution').hosts, 'hosts', rows.length);
  const slowAfter = readNumber(request, 'slowAfter', Number.POSITIVE_INFINITY);
  const [delay, next, rate] = ['minDelay', 'nextDelay', 'maxRate'].map((name) => hosts.numbers(name, Number.NaN));
  const [requests, refusals] = ['requests', 'refusals'].map((name) => hosts.numbers(name));
  const intervals = hosts.lists('interval').map((list) => readNumbers({ list: list ?? [] }, 'list'));
  for (const [h, log] of rows.lists('requests').entries()) {
    const of = `host ${h}`;
    const refusedRequests = (log ?? []).filter((each) => {
      const item = readObject(each);
      const status = readNumber(item, 'status');
      return (
        status === 429 || status === 503 || (status > 0 && status < 500 && readNumber(item, 'latency', 0) > slowAfter)
      );
    });
    if (log !== null) {
      findings.compare('solution.hosts.requests', requests[h], log.length, { of });
      findings.compare('solution.hosts.refusals', refusals[h], refusedRequests.length, { of });
    }
    const [low, high] = intervals[h];
    const isInterval = Number.isNaN(high) || low <= high;
    findings.expect('solution.hosts.interval', isInterval, `${of}: ${low} to ${high} is no interval`);
    if (!Number.isNaN(delay[h])) findings.compare('solution.hosts.maxRate', rate[h], 1 / delay[h], { of });
    const possible = Number.isNaN(next[h]) || next[h] >= low;
    findings.expect('solution.hosts.nextDelay', possible, `${of}: the next delay ${next[h]} is known to be refused`);
  }
}

/** Checks the weighted mean freshness of the probes, overall and by host, and its confidence interval. */
export function checkFreshness(request: WireObject, answer: WireObject, findings: Findings): void {
  const solution = readObject(answer, 'solution');
  const table = new WireTable(request.probes, 'probes');
  const weight = table.numbers('weight', 1);
  const hosts = table.texts('host');
  const current = table.values('current').map((flag) => flag === true || flag === 1);
  const check = (estimate: unknown, field: string, of: string, counts: (i: number) => boolean): void => {
    const part = readObject(estimate);
    const probes = Array.from(weight.keys()).filter(counts);
    const fresh = sumOf(probes.map((i) => (current[i] ? weight[i] : 0)));
    findings.compare(`${field}.value`, part.value, fresh / sumOf(probes.map((i) => weight[i])), { of });
    findings.compare(`${field}.probes`, part.probes, probes.length, { of });
    checkInterval(part, field, findings);
  };
  check(solution.freshness, 'solution.freshness', 'freshness', () => true);
  for (const item of readList(solution, 'byHost', true)) {
    const name = readText(readObject(item), 'host');
    check(item, 'solution.byHost', `host ${name}`, (i) => hosts[i] === name);
  }
}
