/**
 * The integrations in Java, by their own tests: each drives the crawler's own classes, and this clone's command line.
 */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { javaTests, maven } from './maven.ts';

const modules = ['clients/java/price', 'integrations/nutch', 'integrations/stormcrawler', 'integrations/urlfrontier'];
for (const module of modules) rmSync(resolve(module, 'target/surefire-reports'), { recursive: true, force: true });
const commandLine = `${process.execPath} ${resolve('src/cli.ts')}`;
const words = ['-f', 'test/integrations/pom.xml', 'test', `-Dcrawl.optimizer=${commandLine}`, '--fail-at-end'];
// 80 s of the processor, on a crowded machine ten times as long
const run = maven(words, 1000);
if (run.kind === 'unavailable') console.log(`the integrations in Java are skipped: ${run.why}`);

describe.skipIf(run.kind === 'unavailable')('the integrations in Java', () => {
  it.each(modules)('%s passes its own tests', (module) => {
    const tests = javaTests(module);
    const output = run.kind === 'ran' ? run.output : '';
    expect(tests.length, output).toBeGreaterThan(1);
    expect(
      tests.filter(({ passed }) => !passed),
      output,
    ).toEqual([]);
  });

  it('builds and passes as a whole', () => expect(run.kind === 'ran' && run.passed).toBe(true));
});
