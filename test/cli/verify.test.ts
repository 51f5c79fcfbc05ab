import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { verifyClaim } from '../../src/schemas/words/verify-claim.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const example = (name: string): string => join(root, 'examples', `${name}.json`);

function verify(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['src/cli.ts', 'verify', ...words], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('crawl-optimizer verify', () => {
  it('finds nothing wrong with a right answer, and says whose it is', () => {
    const { status, stdout, stderr } = verify(example('slot-assignment'), example('slot-assignment.answer'));
    expect(stdout).toBe('');
    expect(stderr).toContain('slot-assignment: nothing is wrong with what was checked');
    expect(stderr).toMatch(/^checked: .*objective\.value.*solution\.tasks\.slot/m);
    expect(stderr).toMatch(/^not checked: summary/m);
    expect(status).toBe(0);
  });

  it('says what is wrong, a line each, and ends with 1', () => {
    const answer = JSON.parse(readFileSync(example('slot-assignment.answer'), 'utf8'));
    const [first] = answer.solution.tasks;
    answer.solution.tasks[1] = { ...answer.solution.tasks[1], ...first };
    const file = join(mkdtempSync(join(tmpdir(), 'verify-')), 'answer.json');
    writeFileSync(file, JSON.stringify(answer));
    const { status, stdout } = verify(example('slot-assignment'), file);
    expect(stdout).toContain('has two tasks');
    expect(status).toBe(1);
  });

  it('claims the same in its help and in its documentation', () => {
    const { stdout } = verify('--help');
    const page = readFileSync(join(root, 'docs/command-line.md'), 'utf8');
    for (const text of [stdout, page]) expect(text.replaceAll(/\s+/g, ' ')).toContain(verifyClaim);
  });

  it('lists three values that it does not compare, and notices one that it does', () => {
    const answer = JSON.parse(readFileSync(example('crawl-plan.answer'), 'utf8'));
    const file = join(mkdtempSync(join(tmpdir(), 'verify-')), 'answer.json');
    const [page] = answer.solution.pages;
    answer.solution.pages[0] = { ...page, changeRate: 1.05 * page.changeRate, fetchInterval: 1.1 * page.fetchInterval };
    answer.baselines.uniform *= 1.1;
    writeFileSync(file, JSON.stringify(answer));
    const unseen = verify(example('crawl-plan'), file);
    expect(unseen.status).toBe(0);
    const [, unchecked = ''] = /^not checked: (.*)$/m.exec(unseen.stderr) ?? [];
    for (const field of ['solution.pages.changeRate', 'solution.pages.fetchInterval', 'baselines.uniform']) {
      expect(unchecked.split(', ')).toContain(field);
    }
    answer.solution.pages[0].staleness *= 1.01;
    writeFileSync(file, JSON.stringify(answer));
    const seen = verify(example('crawl-plan'), file);
    expect(seen.status).toBe(1);
    expect(seen.stdout).toContain('objective.value');
  });

  it('refuses an answer to another question', () => {
    const { status, stderr } = verify(example('slot-assignment'), example('crawl-schedule.answer'));
    expect(stderr).toContain('the answer is not one of slot-assignment');
    expect(status).toBe(2);
  });
});
