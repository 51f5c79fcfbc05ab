/** Certificates on the recorded examples: nothing is wrong with them, and every field said to be checked is. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { verify } from '../../src/certificates/verify.ts';
import { isObject } from '../../src/certificates/wire.ts';
import { crawlAllocation, estimatesServiceTime } from '../../src/index.ts';
import { operations } from '../../src/operations/index.ts';
import { faultsOf } from './faults-of.ts';

const folder = new URL('../../examples/', import.meta.url);
const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));

const examples = operations.flatMap(({ name: operation, examples }) =>
  examples.map(({ name }) => ({ operation, name, request: read(`${name}.json`), answer: read(`${name}.answer.json`) })),
);

/** A different value of the same type. */
function another(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value + 1 : value * 1.01 + 1e-3;
  return typeof value === 'string' ? 'nonsense' : value;
}

/**
 * A copy in which one value at a path of names is another: the first number below the first row that has one; of
 * bounds and intervals so that they no longer hold what they should.
 */
function tampered(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const at = value.findIndex((row) =>
      name === undefined ? typeof row === 'number' : tampered(row, [name, ...rest]) !== row,
    );
    return at < 0 ? value : value.with(at, tampered(value[at], name === undefined ? [] : [name, ...rest]));
  }
  if (name === undefined) return another(value);
  if (!isObject(value) || !(name in value)) return value;
  const inner = tampered(value[name], rest);
  return inner === value[name] ? value : { ...value, [name]: inner };
}

/** Fields that are checked by an inequality: a number that is a little off may still satisfy it. */
const inequalities =
  /(interval|Interval|priceBracket|aic|solution.price|bounds.overall|nextDelay|hosts\.(rate|price)|batchSizes\.probability)$|^status$/;

describe('the certificates', () => {
  it.each(examples)('find nothing wrong with the answer of $name', ({ operation, request, answer }) => {
    expect(faultsOf(operation, request, answer)).toEqual([]);
  });

  it.each(examples)(
    'notice a change of any field of $name that they call checked',
    ({ operation, request, answer }) => {
      const { checked, unchecked } = verify(operation, request, answer);
      const missed = checked.filter((field) => {
        const wrong = tampered(answer, field.split('.'));
        return !inequalities.test(field) && wrong !== answer && faultsOf(operation, request, wrong).length === 0;
      });
      expect(missed).toEqual([]);
      expect(checked.filter((field) => unchecked.includes(field))).toEqual([]);
    },
  );
});

it('finds nothing wrong with a law that leaves the third moment of a sample', () => {
  const request = { sample: [1, 1, 1, 1, 10] };
  const answer = estimatesServiceTime(request);
  expect(answer.warnings.map(({ code }) => code)).toEqual(['third-moment-left']);
  expect(faultsOf('estimates/service-time', request, answer)).toEqual([]);
});

it.each(['freshness', 'delay', 'harmonic'] as const)(
  'finds nothing wrong with copies of any age under %s',
  (objective) => {
    for (const lastCrawlAge of [1, 1e8 / 3, 1e12 / 7]) {
      const pages = [0.01, 0.3, 1, 100].map((changeRate) => ({ changeRate, lastCrawlAge }));
      const request = { interval: 1, crawls: 2, objective, pages };
      expect(faultsOf('crawl-allocation', request, crawlAllocation(request))).toEqual([]);
    }
  },
);

describe('a certificate that reads a hostile answer', () => {
  /** A copy of an answer with another value at a path. */
  const changed = (answer: unknown, [step, ...rest]: readonly string[], value: unknown): unknown => {
    if (step === undefined) return value;
    const inner = changed(Reflect.get(Object(answer), step), rest, value);
    return Array.isArray(answer) ? answer.with(Number(step), inner) : { ...Object(answer), [step]: inner };
  };

  it.each<[operation: string, example: string, path: string, value: unknown]>([
    ['estimates/arrival-process', 'arrival-process', 'solution/batchSizes/0/size', 1e9],
    ['estimates/arrival-process', 'arrival-process', 'solution/matrices/0/0', [-1]],
    ['estimates/arrival-process', 'arrival-process', 'solution/matrices/0/0/0', -1e12],
    ['crawl-plan', 'crawl-plan', 'solution/schedule/0/page', 0.5],
    ['crawl-plan', 'crawl-plan', 'solution/withoutCrawl', [0]],
  ])('of %s (%s) with %s = %j says what is wrong', (operation, example, path, value) => {
    const answer = changed(read(`${example}.answer.json`), path.split('/'), value);
    expect(faultsOf(operation, read(`${example}.json`), answer)).not.toEqual([]);
  });

  it('sees a slot that is used twice, and one that is none', () => {
    const [request, answer] = [read('crawl-plan.json'), read('crawl-plan.answer.json')];
    const { solution } = Object(answer);
    const [first, second, ...rest] = solution.schedule;
    const faultsWith = (schedule: unknown): string =>
      faultsOf('crawl-plan', request, { ...Object(answer), solution: { ...solution, schedule } }).join();
    const twice = { ...second, time: first.time, crawler: first.crawler };
    expect(faultsWith([first, twice, ...rest])).toContain('is used twice');
    expect(faultsWith([{ ...first, time: first.time + 0.5 }, second, ...rest])).toContain('no slot of crawler 0 at');
  });

  it.each([
    [{ minInterval: 86_400 }, 's after the last'],
    [{ maxInterval: 7200 }, 'waits until'],
    [{ maxInterval: 7200 }, 'is not fetched by'],
    [{ hosts: [{ host: 'shop.example', minDelay: 86_400 }] }, 'host shop.example is crawled at'],
    [{ hosts: [{ host: 'news.example', notBefore: 1_760_080_000 }] }, 'before 1760080000'],
  ])('sees a plan that does not keep %j', (limit, fault) => {
    const request = { ...Object(read('crawl-plan.json')), ...limit };
    expect(faultsOf('crawl-plan', request, read('crawl-plan.answer.json')).join()).toContain(fault);
  });

  it('says that there is no operation of an inherited name', () => {
    expect(faultsOf('constructor', {}, { status: 'optimal' })).toEqual(['there is no operation constructor']);
  });
});
