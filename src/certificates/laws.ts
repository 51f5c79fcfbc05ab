/** Laws of times as requests and answers write them. */
import type { Distribution } from '../solvers/laws/index.ts';
import { isObject, Unreadable, type WireObject } from './wire.ts';

/** The parameters that every law must have, by its type. */
const parameters: Readonly<Record<Distribution['type'], readonly string[]>> = {
  deterministic: ['value'],
  exponential: ['rate'],
  erlang: ['shape', 'rate'],
  gamma: ['shape', 'rate'],
  hyperexponential: ['probabilities', 'rates'],
  uniform: ['min', 'max'],
  lognormal: ['mu', 'sigma'],
  weibull: ['shape', 'scale'],
  pareto: ['shape', 'scale'],
  lomax: ['shape', 'scale'],
  'phase-type': ['initial', 'generator'],
  empirical: ['values'],
};

function isLaw(value: unknown): value is Distribution {
  if (!isObject(value)) return false;
  const names = Object.entries(parameters).find(([type]) => type === value.type)?.[1];
  return names?.every((name) => typeof value[name] === 'number' || Array.isArray(value[name])) === true;
}

/** The law a property holds; a bare number is the rate of an exponential one. */
export function lawIn(object: WireObject, name: string): Distribution {
  const value = object[name];
  if (typeof value === 'number') return { type: 'exponential', rate: value };
  if (isLaw(value)) return value;
  throw new Unreadable(`${name} must be a law of times`);
}
