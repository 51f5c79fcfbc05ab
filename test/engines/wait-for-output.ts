import type { ChildProcess } from 'node:child_process';

/** Waits until a program that was started has said something in its log. */
export async function waitForOutput(child: ChildProcess, what: RegExp): Promise<RegExpExecArray> {
  const log: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => log.push(String(chunk)));
  }
  for (;;) {
    const match = what.exec(log.join(''));
    if (match !== null) return match;
    if (child.exitCode !== null) throw new Error(`ended before it said ${what}: ${log.join('').slice(-2000)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
