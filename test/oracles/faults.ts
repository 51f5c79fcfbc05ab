/** What certificates find. */

export type Expect = (holds: boolean, fault: string) => void;

/** Faults as they are found, the first hundred. */
export function faultList(): { readonly faults: string[]; readonly expect: Expect } {
  const faults: string[] = [];
  const expect: Expect = (holds, fault) => {
    if (!holds && faults.length < 100) faults.push(fault);
  };
  return { faults, expect };
}
