/** What this process's workers, which are processes of their own, have used so far (Linux only; 0 elsewhere). */
import { readFileSync } from 'node:fs';

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Processes started from this thread. */
function workers(): string[] {
  return textOf(`/proc/self/task/${process.pid}/children`).split(' ').filter(Boolean);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Two fields of what the system says of a process, in milliseconds. */
function timesOf(pid: string, first: number): number {
  const fields = textOf(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[first] ?? 0) + Number(fields[first + 1] ?? 0)) * 10;
}

/** Processor time of the workers, those that have ended among them, in milliseconds. */
export function workersMs(): number {
  return timesOf('self', 13) + sum(workers().map((pid) => timesOf(pid, 11)));
}

/** The most memory the workers have held, each at its own time, in MiB. */
export function workersMiB(): number {
  return sum(workers().map((pid) => Number(/VmHWM:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1024));
}
