/** What the README and the pages it leads to show is what the service does. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { estimatesChangeRates, ProblemError, type RequestOf } from '../../src/index.ts';
import { testService } from './test-service.ts';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

describe('README.md', () => {
  it('shows what its first command writes', () => {
    const text = read('README.md');
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

describe('docs/contract.md', () => {
  it('shows the refusal of the request beside it', () => {
    const text = read('docs/contract.md');
    const [, sent = ''] = /-d '(\{.*\})'/.exec(text) ?? [];
    const request: RequestOf<typeof estimatesChangeRates> = JSON.parse(sent);
    const [, block = ''] = /```json\n(\{\s*"type": "urn:[\s\S]*?)```/.exec(text) ?? [];
    const { instance, ...shown } = JSON.parse(block);
    expect(instance).toMatch(/^[\da-f-]{36}$/);
    const refusal = (): unknown => {
      try {
        return estimatesChangeRates(request);
      } catch (error) {
        return error instanceof ProblemError ? error.problem : error;
      }
    };
    expect(refusal()).toEqual(shown);
  });
});

interface Asked {
  readonly file: string;
  readonly url: string;
  readonly type: string;
  readonly body: string;
}

/** The curl commands of a page whose whole body is known: a file of the repository, or in the command. */
function askedIn(file: string): Asked[] {
  const blocks = [...read(file).matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block.replaceAll('\\\n', ' '));
  const commands = blocks.flatMap((block) => block.split(/\n|\|/)).filter((line) => /^\s*curl /.test(line));
  return commands.flatMap((command) => {
    const [, url = ''] = /localhost:8080(\/[^\s']*)/.exec(command) ?? [];
    const [, type = ''] = /content-type: ([^']*)'/.exec(command) ?? [];
    const [, inline] = /-d '(\{[^']*\})'/.exec(command) ?? [];
    const [, sent = '-'] = /(?:--data|--data-binary|-d) @(\S+)/.exec(command) ?? [];
    const body = inline ?? (existsSync(sent) ? read(sent) : undefined);
    return body === undefined ? [] : [{ file, url, type, body }];
  });
}

describe('a curl line of the documents', () => {
  const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  const requests = ['README.md', ...pages.map((name) => `docs/${name}`)].flatMap(askedIn);
  let app: App;
  beforeAll(async () => {
    app = await testService({ WORKERS: '1' });
  });
  afterAll(() => app.server.close());

  it('is found in several pages', () => {
    expect(new Set(requests.map(({ file }) => file)).size).toBeGreaterThan(1);
  });

  it.each(requests)('of $file is answered: $url', async ({ file, url, type, body }) => {
    const answer = await app.server.inject({ method: 'POST', url, headers: { 'content-type': type }, body });
    expect(answer.statusCode, answer.body).toBe(file === 'docs/contract.md' ? 422 : 200);
  });
});
