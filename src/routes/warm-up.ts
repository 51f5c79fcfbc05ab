/**
 * The first thousands of small requests run at half the speed of the later ones, until the engine has compiled what
 * they all run through. So the service solves its own smallest examples after the start, a few at a time between
 * requests.
 */
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import { exampleRequest } from '../examples.ts';
import type { ServedOperation } from '../operations/operation.ts';

/** After so many solves of an operation its common path is compiled. */
const solvesEach = 2000;
const sliceMs = 2;
const pauseMs = 2;

const nobodyLeaves = new AbortController().signal;

export async function warmUp(dispatcher: Dispatcher, operations: readonly ServedOperation[]): Promise<void> {
  for (const operation of operations) {
    const isClosedForm = operation.operation?.isClosedForm;
    if (isClosedForm === undefined) continue;
    for (const example of operation.examples) {
      const request = exampleRequest(example);
      if (typeof request !== 'object' || request === null || !isClosedForm(request)) continue;
      const body = Buffer.from(JSON.stringify(request));
      const ask = () => dispatcher.handle({ operation, body, validateOnly: false, leaving: () => nobodyLeaves });
      for (let done = 0; done < solvesEach; ) {
        const end = performance.now() + sliceMs;
        while (performance.now() < end && done++ < solvesEach) await ask();
        await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
      }
      break;
    }
  }
}
