/** The pages that are made from the schemas are the committed ones. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contractPages } from '../../scripts/contract-docs.ts';

describe('the documentation of fields', () => {
  it.each([...contractPages()])('in %s is what the schemas say', (path, page) => {
    expect(page === readFileSync(path, 'utf8'), `${path}: npm run contract-docs`).toBe(true);
  });
});
