/**
 * How long processes stood ready to run without a processor, because the machine had other work: Linux keeps the sum of
 * every thread. A late answer is the service's doing only where it is later than that.
 */
import { readFileSync } from 'node:fs';

/** Milliseconds since each process began, of its main thread. */
export interface RunDelay {
  /** Of the process that asks. */
  readonly asking: number;
  readonly service: number;
  readonly workers: ReadonlyMap<string, number>;
}

/** The delay of a process; 0 where the system does not say, or it has ended. */
function delayOf(process: number | string): number {
  try {
    return Number(readFileSync(`/proc/${process}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

export function runDelay(service: number): RunDelay {
  const workers = new Map(descendants(service).map((worker) => [worker, delayOf(worker)]));
  return { asking: delayOf('self'), service: delayOf(service), workers };
}

/** The processes that a process has started, and those that these have. */
function descendants(process: number | string): string[] {
  try {
    const text = readFileSync(`/proc/${process}/task/${process}/children`, 'utf8');
    return (text.match(/\d+/g) ?? []).flatMap((child) => [child, ...descendants(child)]);
  } catch {
    // Not Linux, or the process has ended.
    return [];
  }
}

/**
 * How much of the time between two moments a request may have stood still for want of a processor: with who asked, in
 * the service, and in the worker that waited longest.
 */
export function delayBetween(before: RunDelay, after: RunDelay): number {
  const ofWorkers = [...after.workers].map(([worker, delay]) => delay - (before.workers.get(worker) ?? 0));
  return after.asking - before.asking + (after.service - before.service) + Math.max(0, ...ofWorkers);
}
