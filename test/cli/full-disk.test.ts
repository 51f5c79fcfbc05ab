/** Answers that cannot be written whole: the exit code and a line say so. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();

/** Runs a command line in a shell that may first limit the size of files. */
function shell(line: string) {
  const { status, stderr } = spawnSync('sh', ['-c', line], {
    encoding: 'utf8',
    env: { ...process.env, NODE: process.execPath, FOLDER: folder },
  });
  return { status, stderr };
}

const tasks = {
  idealTime: Array.from({ length: 2000 }, (_, i) => i / 2),
  id: Array.from({ length: 2000 }, (_, i) => `task ${i}`),
};
const request = { interval: 1000, crawlers: [{ slots: 2000 }], tasks, unassigned: 'forbid' };
writeFileSync(join(folder, 'request.json'), JSON.stringify(request));
const command = '"$NODE" src/cli.ts slot-assignment "$FOLDER/request.json"';

describe.skipIf(process.platform !== 'linux')('where the disk is full', () => {
  it('an answer that was cut exits with 4, and says how much of it was written', () => {
    const { status, stderr } = shell(`trap '' XFSZ; ulimit -f 4; ${command} > "$FOLDER/out.json"`);
    expect(status).toBe(4);
    expect(stderr).toMatch(/^crawl-optimizer: the answer is cut: \d+ of \d+ bytes were written \(EFBIG/m);
    const written = readFileSync(join(folder, 'out.json')).length;
    expect(stderr).toContain(`cut: ${written} of `);
  });

  it.skipIf(!existsSync('/dev/full'))('an answer that cannot be written at all ends with 4, and says why', () => {
    const { status, stderr } = shell(`${command} > /dev/full`);
    expect(stderr).toMatch(/^crawl-optimizer: the answer is cut: 0 of \d+ bytes were written \(ENOSPC/m);
    expect(status).toBe(4);
  });

  it('an answer that fits ends with 0', () => {
    expect(shell(`${command} > "$FOLDER/whole.json"`).status).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, 'whole.json'), 'utf8')).solution.tasks.slot).toHaveLength(2000);
  });
});
