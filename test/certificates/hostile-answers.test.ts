/** Answers that were made to break who reads them: a certificate says what is wrong, and does not throw or take long. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { verify } from '../../src/certificates/verify.ts';

const folder = new URL('../../examples/', import.meta.url);
const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));

/** An answer with another value at a path. */
function changed(answer: unknown, path: string, value: unknown): unknown {
  const copy = structuredClone(answer);
  const steps = path.split('/');
  const last = steps.pop();
  let at: unknown = copy;
  for (const step of steps) at = Reflect.get(Object(at), step);
  Reflect.set(Object(at), String(last), value);
  return copy;
}

describe('a certificate that reads a hostile answer', () => {
  it.each<[operation: string, example: string, path: string, value: unknown]>([
    ['estimates/arrival-process', 'arrival-process', 'solution/batchSizes/0/size', 1e9],
    ['estimates/arrival-process', 'arrival-process', 'solution/matrices/0/0', [-1]],
    ['estimates/arrival-process', 'arrival-process-order', 'solution/matrices/0/0/0', -1e12],
    ['crawl-plan', 'crawl-plan', 'solution/schedule/0/page', 0.5],
  ])('of %s (%s) with %s = %j says what is wrong', (operation, example, path, value) => {
    const faults = verify(operation, read(`${example}.json`), changed(read(`${example}.answer.json`), path, value));
    expect(faults).not.toEqual([]);
    for (const fault of faults) expect(fault).toEqual(expect.any(String));
  });

  it('says that there is no operation of an inherited name', () => {
    expect(verify('constructor', {}, { status: 'optimal' })).toEqual(['there is no operation constructor']);
  });
});
