/** What certificates find, and when two of their numbers are the same. */

export type Expect = (holds: boolean, fault: string) => void;

/** Faults as they are found, the first hundred. */
export function faultList(): { readonly faults: string[]; readonly expect: Expect } {
  const faults: string[] = [];
  const expect: Expect = (holds, fault) => {
    if (!holds && faults.length < 100) faults.push(fault);
  };
  return { faults, expect };
}

/** Whether two numbers differ by a share of the larger at most, or by next to nothing. */
export const close = (a: number, b: number, share: number, nothing = 1e-300): boolean =>
  Math.abs(a - b) <= share * Math.max(Math.abs(a), Math.abs(b)) + nothing;
