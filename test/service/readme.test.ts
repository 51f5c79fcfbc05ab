/** What the README shows is what the service does. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeConfiguration } from '../../src/config.ts';
import { crawlerCount, ProblemError, type RequestOf } from '../../src/index.ts';
import { operations } from '../../src/operations/index.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const jsonBlocks = [...readme.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => text);

describe('the README', () => {
  it('has every variable of the configuration with its default and meaning', () => {
    for (const { name, fallback, meaning } of describeConfiguration()) {
      expect(readme).toContain(`| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${meaning} |`);
    }
  });

  it('shows the recorded answer of its example', () => {
    const recorded = readFileSync(new URL('../../examples/inria-crawler.answer.json', import.meta.url), 'utf8');
    const shown: Record<string, unknown> = JSON.parse(jsonBlocks[0]);
    const answer: Record<string, unknown> = JSON.parse(recorded);
    expect({ ...shown, statistics: null }).toEqual({ ...answer, statistics: null });
  });

  it('shows the refusal of the request beside it', () => {
    const [, sent = ''] = /-d '(\{.*\})'/.exec(readme) ?? [];
    const request: RequestOf<typeof crawlerCount> = JSON.parse(sent);
    const { instance, ...shown } = JSON.parse(jsonBlocks[1]);
    expect(instance).toMatch(/^[\da-f-]{36}$/);
    const refused = (): unknown => {
      try {
        return crawlerCount(request);
      } catch (error) {
        return error instanceof ProblemError ? error.problem : error;
      }
    };
    expect(refused()).toEqual(shown);
  });

  it('names every operation', () => {
    for (const { name } of operations) expect(readme).toContain(`\`${name}\``);
  });
});
