/** What requests about queues share, read by certificates. */
import { isObject, numberIn, type WireObject } from '../wire.ts';

/** What a queue costs; a lost page costs 1 unless another price is said. */
interface QueueCosts {
  readonly loss: number;
  readonly starvation: number;
  readonly crawler: number;
  readonly obsolescence: number;
  readonly response: number;
}

export function costsIn(request: WireObject): QueueCosts {
  const costs = isObject(request.costs) ? request.costs : {};
  return {
    loss: numberIn(costs, 'loss', 1),
    starvation: numberIn(costs, 'starvation', 0),
    crawler: numberIn(costs, 'crawler', 0),
    obsolescence: numberIn(costs, 'obsolescence', 0),
    response: numberIn(costs, 'response', 0),
  };
}

/** Upper limits by name. */
export function limitsIn(request: WireObject): Readonly<Record<string, number>> {
  const limits = isObject(request.constraints) ? request.constraints : {};
  return Object.fromEntries(
    Object.entries(limits).flatMap(([name, limit]) => (typeof limit === 'number' ? [[name, limit]] : [])),
  );
}
