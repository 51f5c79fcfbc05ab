/** Distributions of times as requests and answers write them. */
import { distribution } from '../schemas/parts/distribution.ts';
import type { Distribution } from '../solvers/laws/index.ts';
import { parseByContract } from './contract-form.ts';
import { isObject, type WireObject } from './wire.ts';

/** The distribution in a property; a number is the rate of an exponential one. */
export function distributionOf(object: WireObject, name: string): Distribution {
  const value = object[name];
  if (typeof value === 'number') return { type: 'exponential', rate: value };
  return parseByContract(distribution, isObject(value) ? ownParameters(value) : value, name);
}

/** The parameters of this distribution; columns hold those of all of them. */
function ownParameters(law: WireObject): WireObject {
  const shape = distribution.options.map((option) => option.shape).find(({ type }) => type.value === law.type);
  return Object.fromEntries(
    Object.keys(shape ?? {}).flatMap((name) => (law[name] === undefined ? [] : [[name, law[name]]])),
  );
}
