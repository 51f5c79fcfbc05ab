/** The list of faults that a certificate of the tests returns. */

export type Expect = (holds: boolean, fault: string) => void;

/** An empty list, and a function that adds a fault if a condition does not hold; at most 100 faults. */
export function faultList(): { readonly faults: string[]; readonly expect: Expect } {
  const faults: string[] = [];
  const expect: Expect = (holds, fault) => {
    if (!holds && faults.length < 100) faults.push(fault);
  };
  return { faults, expect };
}
