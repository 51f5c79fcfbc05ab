/**
 * An assignment of tasks to slots: slots that the tasks may use, used once, what that costs, and how many run. Slot l of
 * a crawler with S slots starts at l·interval/S. The bound is not proved again.
 */
import type { Findings } from './findings.ts';
import { readList, readNumber, readObject, sumOf, type WireObject, WireTable } from './wire.ts';

/** Tolerance of a sum of costs, relative to the number of tasks times the largest cost. */
const rounding = 1e-11;

export function checkAssignment(request: WireObject, answer: WireObject, findings: Findings): void {
  const interval = readNumber(request, 'interval');
  const counts = readList(request, 'crawlers').map((crawler) => readNumber(readObject(crawler), 'slots'));
  const rows = new WireTable(request.tasks, 'tasks');
  const [ideal, weight] = [rows.numbers('idealTime'), rows.numbers('weight', 1)];
  const [earliest, latest] = [rows.numbers('earliest', -Infinity), rows.numbers('latest', Infinity)];
  const [kind, allowedCrawlers] = [rows.texts('kind'), rows.lists('crawlers')];
  const { unassigned = 'forbid' } = request;
  const penalty = unassigned === 'forbid' ? Number.POSITIVE_INFINITY : readNumber(readObject(unassigned), 'penalty');
  const solution = readObject(answer, 'solution');
  const tasks = new WireTable(solution.tasks, 'tasks', rows.length);
  const [crawler, slot, time] = ['crawler', 'slot', 'time'].map((name) => tasks.numbers(name, Number.NaN));
  const taskCounts = counts.map(() => 0);
  const usedSlots = new Set<string>();
  let [value, largest] = [0, interval];
  const field = 'solution.tasks';
  for (const [j, k] of crawler.entries()) {
    const l = slot[j];
    largest = Math.max(largest, weight[j] * (interval + Math.abs(ideal[j])));
    if (Number.isNaN(k)) {
      const isDropped = Number.isNaN(l) && Number.isNaN(time[j]) && penalty < Number.POSITIVE_INFINITY;
      findings.expect(`${field}.crawler`, isDropped, `task ${j} is dropped`);
      value += penalty;
      continue;
    }
    const isSlot = Number.isInteger(l) && l >= 0 && l < counts[k];
    findings.expect(`${field}.slot`, isSlot, `task ${j} has slot ${l} of crawler ${k}, which has ${counts[k]}`);
    if (!isSlot) continue;
    const start = (l * interval) / counts[k];
    findings.compare(`${field}.time`, time[j], start, { of: `task ${j}`, size: interval });
    const from = kind[j] === 'release' ? Math.max(earliest[j], ideal[j]) : earliest[j];
    const inTime = start >= from && start <= latest[j];
    findings.expect(`${field}.slot`, inTime, `task ${j} runs at ${start}, outside ${from} to ${latest[j]}`);
    const isAllowed = allowedCrawlers[j]?.includes(k) ?? true;
    findings.expect(`${field}.crawler`, isAllowed, `task ${j} runs on crawler ${k}`);
    const isFree = !usedSlots.has(`${k} ${l}`);
    findings.expect(`${field}.slot`, isFree, `slot ${l} of crawler ${k} has two tasks, one of them ${j}`);
    usedSlots.add(`${k} ${l}`);
    taskCounts[k]++;
    value += weight[j] * Math.abs(start - ideal[j]);
  }
  const size = largest * Math.max(1, rows.length);
  findings.compare('objective.value', readObject(answer, 'objective').value, value, { tolerance: rounding, size });
  const assignedCount = sumOf(taskCounts);
  findings.compare('solution.dropped', solution.dropped, rows.length - assignedCount);
  findings.compare('solution.idleSlots', solution.idleSlots, sumOf(counts) - assignedCount);
  for (const [k, item] of readList(solution, 'crawlers').entries()) {
    const crawlerAnswer = readObject(item);
    const of = `crawler ${k}`;
    findings.compare('solution.crawlers.slots', crawlerAnswer.slots, counts[k], { of });
    findings.compare('solution.crawlers.tasks', crawlerAnswer.tasks, taskCounts[k], { of });
    if (counts[k] > 0)
      findings.compare('solution.crawlers.utilisation', crawlerAnswer.utilisation, taskCounts[k] / counts[k], { of });
  }
}
