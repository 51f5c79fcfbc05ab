/**
 * What a certificate found: faults in words, and which fields of the answer it compared. A field counts as checked only
 * where a number of it was compared with what follows from the request; all others are named as not checked.
 */
import { isObject, objectAt, type WireObject } from './wire.ts';

/** What `verify` says of an answer. */
export interface Verification {
  /** What is wrong, one sentence each; empty where nothing is. */
  readonly faults: readonly string[];
  /** Fields of the answer that were compared, as `solution.pages.crawls`. */
  readonly checked: readonly string[];
  /** Fields of the answer that were not. */
  readonly unchecked: readonly string[];
}

/** More faults than this say nothing more. */
const maxFaults = 100;
/** Differences of this share of the larger number are rounding. */
const rounding = 1e-9;
/** Rows of a list that are looked through for the names of their fields. */
const rowsNamed = 1000;

export class Findings {
  readonly faults: string[] = [];
  readonly #checked = new Set<string>();
  readonly #taken = new Set<string>();

  /** A condition on a field. */
  expect(field: string, holds: boolean, fault: string | (() => string)): void {
    this.#checked.add(field);
    if (!holds) this.fault(typeof fault === 'string' ? fault : fault());
  }

  /**
   * A number of the answer beside the one that follows from the request.
   *
   * @param of whose it is, for the message
   * @param size what rounding is relative to, where that is more than the numbers themselves
   */
  compare(field: string, said: unknown, right: number, { of = '', tolerance = rounding, size = 0 } = {}): void {
    const close =
      typeof said === 'number' &&
      Math.abs(said - right) <= tolerance * Math.max(Math.abs(said), Math.abs(right), size) + 1e-300;
    this.expect(field, close, () => `${of === '' ? field : `${of}: ${nameOf(field)}`} is ${right}, not ${said}`);
  }

  /** A field of which some values, or all, are taken as the answer has them. */
  take(field: string): void {
    this.#taken.add(field);
  }

  fault(fault: string): void {
    if (this.faults.length < maxFaults) this.faults.push(fault);
  }

  /** What was found of a part of the answer, whose fields lie below `field`. */
  include(part: Findings, answer: WireObject, field: string, of: string): void {
    for (const fault of part.faults) this.fault(`${of}: ${fault}`);
    const { checked, unchecked } = part.verification(answer);
    for (const name of checked) this.#checked.add(`${field}.${name}`);
    for (const name of unchecked) this.#taken.add(`${field}.${name}`);
  }

  /** Which of the answer's fields were looked at. */
  verification(answer: WireObject): Verification {
    const fields = fieldsOf(answer);
    const known = (field: string): boolean => this.#checked.has(field) && !this.#taken.has(field);
    return {
      faults: this.faults,
      checked: fields.filter(known),
      unchecked: fields.filter((field) => !known(field)),
    };
  }
}

const nameOf = (field: string): string => field.slice(field.lastIndexOf('.') + 1);

/** The paths of an answer's values; items of a list go by the name of the list. */
function fieldsOf(answer: WireObject): string[] {
  const found = new Set<string>();
  const walk = (value: unknown, path: string): void => {
    const rows = Array.isArray(value) ? value.slice(0, rowsNamed) : [];
    if (rows.some(isObject)) for (const row of rows) walk(row, path);
    else if (isObject(value)) {
      for (const [name, inner] of Object.entries(value)) walk(inner, path === '' ? name : `${path}.${name}`);
    } else if (value !== undefined) found.add(path);
  };
  for (const [name, value] of Object.entries(answer)) {
    // told by the service about itself, in sentences or counts
    if (name === 'summary' || name === 'statistics' || name === 'warnings') found.add(name);
    else walk(value, name);
  }
  return [...found];
}

/** The value and bound of an objective, each with its relation: gap = (value − bound)/|bound|, bound ≤ value. */
export function checkObjective(findings: Findings, reported: unknown, field: string): void {
  const { value, bound = null, gap = null } = objectAt(reported);
  if (typeof value !== 'number') return;
  if (bound === null || typeof bound !== 'number') {
    findings.expect(`${field}.gap`, gap === null, `${field}: a gap of ${gap} without a bound`);
    return;
  }
  const right = (value - bound) / Math.max(Math.abs(bound), 1e-12);
  const slack = rounding * Math.max(Math.abs(value), Math.abs(bound));
  findings.expect(`${field}.bound`, bound <= value + slack, `${field}: the bound ${bound} is above the value ${value}`);
  findings.compare(`${field}.gap`, gap, right, { size: 1 });
}
