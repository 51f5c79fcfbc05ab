/** What the README and the pages it leads to show is what the service does. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeConfiguration } from '../../src/config.ts';
import { estimatesChangeRates, ProblemError, type RequestOf } from '../../src/index.ts';
import { operations } from '../../src/operations/index.ts';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const readme = read('README.md');

describe.each(['README.md', 'docs/quick-start.md'])('%s', (file) => {
  it('shows what its first command writes', () => {
    const text = read(file);
    const [, command = ''] = /^npm run -s cli -- (plan [^>\n]*)/m.exec(text) ?? [];
    const [, shown = ''] = /^```\n(time,page[\s\S]*?)```/m.exec(text) ?? [];
    expect(shown.split('\n').length).toBeGreaterThan(3);
    const written = execFileSync(process.execPath, ['src/cli.ts', ...command.trim().split(' ')], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(written.slice(0, shown.length)).toBe(shown);
  });
});

describe('the README', () => {
  it('names every operation', () => {
    for (const { name } of operations) expect(readme).toContain(`\`${name}\``);
  });
});

describe('docs/configuration.md', () => {
  it('has every variable with its default and meaning', () => {
    const text = read('docs/configuration.md');
    for (const { name, fallback, meaning } of describeConfiguration()) {
      expect(text).toContain(`| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${meaning} |`);
    }
  });
});

describe('docs/contract.md', () => {
  it('shows the refusal of the request beside it', () => {
    const text = read('docs/contract.md');
    const [, sent = ''] = /-d '(\{.*\})'/.exec(text) ?? [];
    const request: RequestOf<typeof estimatesChangeRates> = JSON.parse(sent);
    const [, block = ''] = /```json\n(\{\s*"type": "urn:[\s\S]*?)```/.exec(text) ?? [];
    const { instance, ...shown } = JSON.parse(block);
    expect(instance).toMatch(/^[\da-f-]{36}$/);
    const refused = (): unknown => {
      try {
        return estimatesChangeRates(request);
      } catch (error) {
        return error instanceof ProblemError ? error.problem : error;
      }
    };
    expect(refused()).toEqual(shown);
  });
});
