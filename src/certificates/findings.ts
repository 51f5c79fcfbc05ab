/**
 * The findings of a certificate: faults, and the fields of the answer that were checked. A field counts as checked only
 * if its values were compared with what follows from the request; all others are listed as unchecked.
 */
import { isObject, readObject, type WireObject } from './wire.ts';

/** The result of `verify`. */
export interface Verification {
  /** One sentence for each fault; empty for a correct answer. */
  readonly faults: readonly string[];
  /** Paths of the checked fields, such as `solution.pages.crawls`. */
  readonly checked: readonly string[];
  /** Paths of the other fields of the answer. */
  readonly unchecked: readonly string[];
}

/** Faults reported at most. */
const maxFaults = 100;
/** Default tolerance, relative to the larger of the two numbers. */
const rounding = 1e-9;
/** Rows of a list searched for the names of its fields. */
const maxRowsSearched = 1000;

export class Findings {
  readonly faults: string[] = [];
  readonly #checkedFields = new Set<string>();
  readonly #unverifiedFields = new Set<string>();

  /** Checks a condition on a field. */
  expect(field: string, holds: boolean, fault: string | (() => string)): void {
    this.#checkedFields.add(field);
    if (!holds) this.fault(typeof fault === 'string' ? fault : fault());
  }

  /**
   * Compares a number of the answer with the one that follows from the request.
   *
   * @param of the item the number belongs to, for the message
   * @param size magnitude for the tolerance, if larger than the numbers themselves
   */
  compare(field: string, reported: unknown, expected: number, { of = '', tolerance = rounding, size = 0 } = {}): void {
    const close =
      typeof reported === 'number' &&
      Math.abs(reported - expected) <= tolerance * Math.max(Math.abs(reported), Math.abs(expected), size) + 1e-300;
    this.expect(field, close, () => `${of === '' ? field : `${of}: ${nameOf(field)}`} is ${expected}, not ${reported}`);
  }

  /** Marks a field as unchecked: some of its values are taken from the answer. */
  markUnchecked(field: string): void {
    this.#unverifiedFields.add(field);
  }

  fault(fault: string): void {
    if (this.faults.length < maxFaults) this.faults.push(fault);
  }

  /** Adds the findings of a part of the answer, whose fields lie below `field`. */
  include(part: Findings, answer: WireObject, field: string, of: string): void {
    for (const fault of part.faults) this.fault(`${of}: ${fault}`);
    const { checked, unchecked } = part.verification(answer);
    for (const name of checked) this.#checkedFields.add(`${field}.${name}`);
    for (const name of unchecked) this.#unverifiedFields.add(`${field}.${name}`);
  }

  /** The faults, and the answer's fields split into checked and unchecked. */
  verification(answer: WireObject): Verification {
    const fields = fieldsOf(answer);
    const isChecked = (field: string): boolean => this.#checkedFields.has(field) && !this.#unverifiedFields.has(field);
    return {
      faults: this.faults,
      checked: fields.filter(isChecked),
      unchecked: fields.filter((field) => !isChecked(field)),
    };
  }
}

const nameOf = (field: string): string => field.slice(field.lastIndexOf('.') + 1);

/** The paths of an answer's values; the items of a list share the path of the list. */
function fieldsOf(answer: WireObject): string[] {
  const paths = new Set<string>();
  const walk = (value: unknown, path: string): void => {
    const rows = Array.isArray(value) ? value.slice(0, maxRowsSearched) : [];
    if (rows.some(isObject)) for (const row of rows) walk(row, path);
    else if (isObject(value)) {
      for (const [name, inner] of Object.entries(value)) walk(inner, path === '' ? name : `${path}.${name}`);
    } else if (value !== undefined) paths.add(path);
  };
  for (const [name, value] of Object.entries(answer)) {
    // free text and counters have no fields of their own
    if (name === 'summary' || name === 'statistics' || name === 'warnings') paths.add(name);
    else walk(value, name);
  }
  return [...paths];
}

/** Checks bound ≤ value and gap = (value − bound)/|bound|. */
export function checkObjective(findings: Findings, objective: unknown, field: string): void {
  const { value, bound = null, gap = null } = readObject(objective);
  if (typeof value !== 'number') return;
  if (bound === null || typeof bound !== 'number') {
    findings.expect(`${field}.gap`, gap === null, `${field}: a gap of ${gap} without a bound`);
    return;
  }
  const expectedGap = (value - bound) / Math.max(Math.abs(bound), 1e-12);
  const slack = rounding * Math.max(Math.abs(value), Math.abs(bound));
  findings.expect(`${field}.bound`, bound <= value + slack, `${field}: the bound ${bound} is above the value ${value}`);
  findings.compare(`${field}.gap`, gap, expectedGap, { size: 1 });
}
