/** Links that carry a request: what they inflate to is bounded, and nonsense in them is no request. */
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { isShallow } from '../../src/console/api/json.ts';
import { hashOf, lacksRequest, requestIn } from '../../src/console/state/address.ts';
import { recognise } from '../../src/console/take/recognise.ts';

const linkTo = (text: string): string =>
  `#/crawler-count?r=${deflateRawSync(text, { level: 9 }).toString('base64url')}`;
const nested = (depth: number): string => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;

describe('a link', () => {
  it('brings its request back', async () => {
    const request = { capacity: 31, pages: [{ id: 'ä/„' }] };
    const hash = await hashOf('crawler-count', request);
    expect(lacksRequest(hash)).toBe(false);
    expect(await requestIn(hash)).toEqual(request);
  });

  it('says where its request was too large for it', async () => {
    const pages = Array.from({ length: 3000 }, (_, i) => ({ id: `${i} ${Math.sin(i)}` }));
    const hash = await hashOf('crawl-plan', { pages });
    expect(hash).toBe('#/crawl-plan?large');
    expect(lacksRequest(hash)).toBe(true);
    expect(await requestIn(hash)).toBeUndefined();
  });

  it('that inflates to hundreds of megabytes is given up after the first few hundred kilobytes', async () => {
    // 400 million blanks in a link of some 390,000 bytes.
    const bomb = linkTo(`{"a":"${' '.repeat(400_000_000)}"}`);
    const before = process.memoryUsage().rss;
    expect(await requestIn(bomb)).toBeUndefined();
    expect(process.memoryUsage().rss - before).toBeLessThan(200e6);
  });

  it('with thousands of nested lists is no request, nor is such a file', async () => {
    expect(await requestIn(linkTo(nested(5000)))).toBeUndefined();
    expect(await requestIn(linkTo(nested(5)))).toEqual(JSON.parse(nested(5)));
    expect(recognise(nested(5000), [], '')).toMatchObject({ kind: 'refused' });
    expect([isShallow(JSON.parse(nested(40))), isShallow(JSON.parse(nested(100_000)))]).toEqual([true, false]);
  });
});
