/** Change rates: checks and changes are counted, and intervals hold their rates. The rates are not estimated again. */
import type { Findings } from '../findings.ts';
import { readList, readNumbers, readObject, type WireObject, WireTable } from '../wire.ts';

export function checkChangeRates(request: WireObject, answer: WireObject, findings: Findings): void {
  const rows = new WireTable(request.pages, 'pages');
  const pages = new WireTable(readObject(answer, 'solution').pages, 'pages', rows.length);
  const [rate, checks, changes] = ['rate', 'checks', 'changes'].map((name) => pages.numbers(name));
  const intervals = pages.lists('interval').map((interval) => readNumbers({ interval: interval ?? [] }, 'interval'));
  for (const [i, given] of rows.lists('checks').entries()) {
    const of = `page ${i}`;
    const [low, high] = intervals[i];
    const inside = rate[i] > 0 && low <= rate[i] && (Number.isNaN(high) || rate[i] <= high);
    findings.expect('solution.pages.interval', inside, `${of}: ${low} to ${high} does not hold the rate ${rate[i]}`);
    // observations are not converted into checks here
    if (given === null) continue;
    const changedChecks = given.filter((check) => {
      const [, flag] = readList({ check }, 'check');
      return flag === true || flag === 1;
    });
    findings.compare('solution.pages.checks', checks[i], given.length, { of });
    findings.compare('solution.pages.changes', changes[i], changedChecks.length, { of });
  }
}
