/** What `validateOnly` calls valid is solved: no condition of a model is found only on the way. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RequestMaker } from '../../scripts/stress/requests.ts';
import { readConfig } from '../../src/config.ts';
import { exampleRequest } from '../../src/package.ts';
import { deadlineBudget } from '../../src/solvers/budget.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { now } from '../../src/workers/clock.ts';
import { prepareParsed, run } from '../../src/workers/pipeline.ts';
import { operationNamed } from './outcomes.ts';

const config = readConfig({});
/** Looks at the clock, and milliseconds, after which a solve is over: conditions are found at its beginning. */
const looks = 40;
const soon = 30;

/** The step that refuses a request: the check before the solve, the solve, or none. */
function refusedBy(
  name: string,
  body: unknown,
): { readonly by: 'check' | 'solve' | 'nothing'; readonly detail: string } {
  const ready = prepareParsed(operationNamed(name), body, config);
  if (ready.kind !== 'ready') return { by: 'check', detail: JSON.stringify(ready.problem) };
  let looked = 0;
  const cancelled = (): boolean => looked++ > looks;
  const outcome = run(
    ready,
    deadlineBudget({ clock: now, deadline: now() + soon, seed: 0, isCancelled: cancelled }),
    now,
  );
  const isRefusal = outcome.kind === 'problem' && outcome.problem.status < 500;
  return { by: isRefusal ? 'solve' : 'nothing', detail: isRefusal ? JSON.stringify(outcome.problem) : '' };
}

/** Parses a body; one that was cut to the largest size is no JSON, and is checked as a text. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

const example = (name: string): object => Object(exampleRequest({ name, summary: '' }));

describe('a request that is refused for a condition of its model', () => {
  it.each<[name: string, what: string, body: object, pointer: string]>([
    ['estimates/arrival-process', 'batches without end', { timestamps: [1, 2, 3, 4], batchGap: 9 }, '/timestamps'],
    [
      'estimates/arrival-process',
      'batches too large',
      { timestamps: Array.from({ length: 1500 }, (_, i) => i / 1000), batchGap: 1 },
      '/batchGap',
    ],
    ['estimates/service-time', 'moments far apart', { moments: [1e-69, 4e-63, 6e-56], scale: 9e-85 }, '/moments'],
    ['estimates/update-process', 'gaps far apart', { gaps: [1e-300, 1e14, 2] }, '/gaps/0'],
    [
      'access-frequencies',
      'a page that hardly changes',
      { ...example('access-frequencies'), pages: [{ changeRate: 1 }, { changeRate: 1e-200 }] },
      '/pages/1/changeRate',
    ],
    [
      'access-sequence',
      'a page whose crawlers are too slow for it',
      {
        pages: { changeRate: [0.5, 3] },
        accessTime: { type: 'deterministic', value: 1e300 },
        method: 'golden-ratio',
      },
      '/pages/changeRate/1',
    ],
  ])('to %s is refused before it is solved: %s', (name, _, body, pointer) => {
    const { by, detail } = refusedBy(name, body);
    expect(by).toBe('check');
    expect(detail).toContain(`"${pointer}"`);
  });

  it('is refused before the solve, also when damaged at random', () => {
    const document = JSON.parse(readFileSync(new URL('../../openapi/openapi.json', import.meta.url), 'utf8'));
    const maker = new RequestMaker(document, seededRandom(32));
    const count = { check: 0, solve: 0, nothing: 0 };
    for (let i = 0; i < 200; i++) {
      const { operation, body } = maker.next();
      const { by, detail } = refusedBy(operation, parsed(body));
      count[by]++;
      expect(by, `${operation}: ${detail} of ${body.slice(0, 2000)}`).not.toBe('solve');
    }
    expect(Math.min(count.check, count.nothing)).toBeGreaterThan(30);
  });
});
