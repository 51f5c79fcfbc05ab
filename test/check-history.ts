import type { CheckHistory } from '../src/solvers/estimation/index.ts';

/** The history of pages whose checks are listed. */
export function checkHistory(
  pages: readonly (readonly (readonly [elapsed: number, outcome: number])[])[],
): CheckHistory {
  const checks = pages.flat();
  const offsets = new Uint32Array(pages.length + 1);
  for (const [i, { length }] of pages.entries()) offsets[i + 1] = offsets[i] + length;
  return {
    offsets,
    elapsed: Float64Array.from(checks, ([elapsed]) => elapsed),
    outcome: Uint8Array.from(checks, ([, outcome]) => outcome),
  };
}
