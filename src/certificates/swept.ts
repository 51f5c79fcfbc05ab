/** The rows of a sweep, each checked as the answer of the request with its value in place. */
import { envelopeFaults } from './envelope.ts';
import { isObject, listIn, numberIn, objectAt, textIn, type WireObject } from './wire.ts';

export type Certificate = (request: WireObject, answer: WireObject) => string[];

/** What is wrong with the rows; empty where nothing is, or nothing was swept. */
export function sweptFaults(request: WireObject, answer: WireObject, certificate: Certificate): string[] {
  const { sweep, ...single } = request;
  if (!isObject(sweep)) return [];
  const steps = textIn(sweep, 'parameter').slice(1).split('/');
  return listIn(answer, 'sweep', true).flatMap((row) => {
    const told = objectAt(row);
    const value = numberIn(told, 'value');
    if (told.status === 'infeasible') return [];
    const asked = objectAt(withValue(single, steps, value));
    const faults = [...envelopeFaults(told), ...certificate(asked, told)];
    return faults.map((fault) => `at ${value} of the sweep: ${fault}`);
  });
}

/** A copy in which the value at the end of the steps is another. */
function withValue(within: unknown, [step, ...rest]: readonly string[], value: number): unknown {
  if (step === undefined) return value;
  if (Array.isArray(within)) return within.with(Number(step), withValue(within[Number(step)], rest, value));
  return isObject(within) ? { ...within, [step]: withValue(within[step], rest, value) } : value;
}
