/** Random instances of a JSON Schema, mostly valid and sometimes with one wrong value. */
import { isRecord } from '../../src/schemas/contract/strict-object.ts';
import type { Random } from '../../src/solvers/numerics/random/random.ts';

type Schema = Readonly<Record<string, unknown>>;

const numberOr = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback);

const wrongValues: readonly unknown[] = [null, true, 'wrong', -1, -1e308, 1e308, 0.5, [], {}, [[]], [null], { a: 1 }];

/** Generates instances; `errors` is the probability that a value is replaced by a wrong one. */
export class Instances {
  readonly #random: Random;
  readonly #root: Schema;
  readonly #errors: number;

  constructor(root: Schema, random: Random, errors: number) {
    this.#root = root;
    this.#random = random;
    this.#errors = errors;
  }

  generate(schema: unknown, depth = 0): unknown {
    if (this.#random() < this.#errors) return this.#pick(wrongValues);
    if (!isRecord(schema)) return null;
    if (typeof schema.$ref === 'string') return this.generate(this.#resolve(schema.$ref), depth);
    const forms = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(forms)) return this.generate(this.#pick(forms), depth);
    if ('const' in schema) return schema.const;
    if (Array.isArray(schema.enum)) return this.#pick(schema.enum);
    const type = Array.isArray(schema.type) ? this.#pick(schema.type) : schema.type;
    switch (type) {
      case 'number':
        return this.#number(schema, false);
      case 'integer':
        return this.#number(schema, true);
      case 'string':
        return `page-${Math.floor(this.#random() * 100)}`.slice(0, numberOr(schema.maxLength, 100));
      case 'boolean':
        return this.#random() < 0.5;
      case 'null':
        return null;
      case 'array':
        return this.#array(schema, depth);
      case 'object':
        return this.#object(schema, depth);
      default:
        return 1;
    }
  }

  #pick(from: readonly unknown[]): unknown {
    return from[Math.floor(this.#random() * from.length)];
  }

  #resolve(reference: string): unknown {
    let at: unknown = this.#root;
    for (const step of reference.split('/').slice(1)) at = isRecord(at) ? at[step] : undefined;
    return at;
  }

  #number(schema: Schema, integer: boolean): number {
    const low = Math.max(numberOr(schema.minimum, numberOr(schema.exclusiveMinimum, 0)), -1e6);
    const high = Math.min(numberOr(schema.maximum, numberOr(schema.exclusiveMaximum, 20)), low + 20);
    if (this.#random() < 0.1) return low;
    const value = low + this.#random() * (high - low);
    if (!integer) return value;
    return Math.min(high, Math.floor(value) + ('exclusiveMinimum' in schema ? 1 : 0));
  }

  #array(schema: Schema, depth: number): unknown[] {
    if (Array.isArray(schema.prefixItems))
      return schema.prefixItems.map((item: unknown) => this.generate(item, depth + 1));
    const minimum = numberOr(schema.minItems, 0);
    const length = Math.min(numberOr(schema.maxItems, 4), minimum + Math.floor(this.#random() * (depth > 3 ? 2 : 4)));
    return Array.from({ length }, () => this.generate(schema.items, depth + 1));
  }

  #object(schema: Schema, depth: number): Record<string, unknown> {
    const properties = isRecord(schema.properties) ? schema.properties : {};
    const requiredNames: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
    const object: Record<string, unknown> = {};
    for (const [name, property] of Object.entries(properties)) {
      // A time limit of a few milliseconds would be valid and rightly answered by 504, which tests nothing.
      if (name === 'timeLimitMs') continue;
      const keep = requiredNames.includes(name) ? this.#random() >= this.#errors / 2 : this.#random() < 0.4;
      if (keep) object[name] = this.generate(property, depth + 1);
    }
    if (this.#random() < this.#errors / 2) object.unknownProperty = 1;
    return object;
  }
}
