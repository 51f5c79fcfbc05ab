/**
 * Nutch 1.20 by the letter of its README. Its distribution is not in the registries. So the folder is put together from
 * its jar and those that it needs, with a short bin/nutch. A plugin for HTTP takes the place of protocol-http and
 * parse-html.
 */
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { blocks, check, follow, type Place, withOwn } from './readme.ts';
import { startSite } from './site.ts';

const commands: Readonly<Record<string, string>> = {
  inject: 'org.apache.nutch.crawl.Injector',
  generate: 'org.apache.nutch.crawl.Generator',
  fetch: 'org.apache.nutch.fetcher.Fetcher',
  parse: 'org.apache.nutch.parse.ParseSegment',
  updatedb: 'org.apache.nutch.crawl.CrawlDb',
  readdb: 'org.apache.nutch.crawl.CrawlDbReader',
};

async function distribution(clone: string, home: string, place: Place): Promise<void> {
  const module = `${clone}/integrations/nutch`;
  for (const folder of ['bin', 'conf', 'lib', 'plugins/http-for-tests'])
    mkdirSync(`${home}/${folder}`, { recursive: true });
  const copy = `mvn -q -B -f ${module}/pom.xml dependency:copy-dependencies -DoutputDirectory=${home}/lib`;
  await follow(`${copy} -DexcludeGroupIds=org.junit.jupiter,org.junit.platform`, place, true);
  const resources = `${module}/src/test/resources`;
  cpSync(`${resources}/plugins`, `${home}/plugins`, { recursive: true });
  for (const file of ['parse-plugins.xml', 'host-protocol-mapping.txt'])
    cpSync(`${resources}/${file}`, `${home}/conf/${file}`);
  writeFileSync(`${home}/conf/log4j.properties`, 'log4j.rootLogger=OFF\n');
  const plugin = `${module}/src/test/java/org/crawloptimizer/nutch/HttpForTests.java`;
  await follow(`javac -nowarn -cp '${home}/lib/*' -d ${home}/conf ${plugin} 2>/dev/null`, place, true);
  const cases = Object.entries(commands).map(([name, type]) => `  ${name}) class=${type} ;;`);
  const script = [
    '#!/usr/bin/env bash',
    'command=$1; shift',
    'case $command in',
    ...cases,
    '  *) class=$command ;;',
    'esac',
    'exec java -Xmx600m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$NUTCH_HOME/conf:$NUTCH_HOME:$NUTCH_HOME/lib/*" "$class" "$@"',
  ];
  writeFileSync(`${home}/bin/nutch`, `${script.join('\n')}\n`);
  chmodSync(`${home}/bin/nutch`, 0o755);
}

/** conf/nutch-site.xml: what Nutch itself needs here, and what the README says. */
function settings(home: string, said: string): void {
  const own = {
    'http.agent.name': 'by-the-letter',
    'plugin.folders': `${home}/plugins`,
    'plugin.includes': 'nutch-extensionpoints|http-for-tests',
    'fetcher.server.delay': '0',
    'hadoop.tmp.dir': `${home}/tmp`,
  };
  const properties = Object.entries(own).map(
    ([name, value]) => `<property><name>${name}</name><value>${value}</value></property>`,
  );
  writeFileSync(
    `${home}/conf/nutch-site.xml`,
    `<?xml version="1.0"?><configuration>${properties.join('')}${said}</configuration>`,
  );
}

const pages = ['/every/5', '/every/60', '/every/100000', '/moves', '/dies'];

export async function nutch(clone: string, { folder, env }: Place, work: string): Promise<void> {
  const readme = `${folder}/integrations/nutch/README.md`;
  const home = `${work}/nutch`;
  await distribution(clone, home, { folder: work, env });
  const build = { folder: `${folder}/integrations/nutch`, env: { ...env, NUTCH_HOME: home } };
  const nutchHome = { folder: home, env: { ...env, NUTCH_HOME: home } };
  const site = await startSite();
  const cycle = async (): Promise<void> => {
    // it ends with 1 where nothing is due
    const generated = await follow(
      'bin/nutch generate crawl/crawldb crawl/segments || echo "ended with $?"',
      nutchHome,
      true,
    );
    if (/ended with 1$/m.test(generated)) return;
    const segment = '$(ls -d crawl/segments/* | tail -1)';
    const rest = ['fetch', 'parse'].map((name) => `bin/nutch ${name} ${segment}`);
    await follow([...rest, `bin/nutch updatedb crawl/crawldb ${segment}`].join('\n'), nutchHome, true);
  };
  const rounds = async (seconds: number): Promise<void> => {
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(1000)) await cycle();
  };
  try {
    const [packageIt, price] = blocks(readme, null, 'sh');
    await follow(packageIt, build);
    const mean = 60;
    settings(home, withOwn(blocks(readme, null, 'xml')[0], { '604800': String(mean) }));
    mkdirSync(`${home}/seeds`);
    writeFileSync(`${home}/seeds/all.txt`, pages.map((path) => site.base + path).join('\n'));
    await follow('bin/nutch inject crawl/crawldb seeds', nutchHome);
    await rounds(2 * mean);
    for (const perDay of [10_000, 4000]) {
      const before = pages.map((path) => site.fetches(path).length);
      await follow(withOwn(price, { '30000': String(perDay) }), nutchHome);
      await rounds(3 * mean);
      const made = pages.map((path, at) => site.fetches(path).length - before[at]);
      console.log(`fetches in ${3 * mean} s and a round: ${pages.map((path, at) => `${path} ${made[at]}`).join(', ')}`);
    }
    const priced = Number(readFileSync(`${home}/crawl/price`, 'utf8'));
    check(priced > 0, `Price wrote a price: ${priced}`);
    const belief = await follow(`bin/nutch readdb crawl/crawldb -url ${site.base}/every/5`, nutchHome, true);
    check(/price\.belief/.test(belief), 'what is believed of a page is in its metadata');

    const [plan] = blocks(readme, 'By a plan', 'sh');
    const [, ...loop] = plan.trimEnd().split('\n');
    settings(home, blocks(readme, 'By a plan', 'xml')[0]);
    const interval = 90;
    await rounds(1);
    for (const round of [1, 2, 3]) {
      if (round === 2)
        for (const [path, status] of [
          ['/moves', 301],
          ['/dies', 404],
        ] as const)
          site.answers.set(path, status);
      const began = Date.now() / 1000;
      await follow(withOwn(loop.join('\n'), { '30000 --interval 1d': `12 --interval ${interval}s` }), nutchHome);
      const planned = new Map(
        readFileSync(`${home}/plan-seeds/plan.txt`, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => [
            line.split('\t')[0],
            Number(/plan\.nextFetch=(\S*)/.exec(line)?.[1] || Number.POSITIVE_INFINITY),
          ]),
      );
      const injected = Date.now() / 1000;
      await rounds(interval);
      const early = pages.filter((path) =>
        site.fetches(path).some((at) => at > injected && at < (planned.get(site.base + path) ?? 0)),
      );
      const made = pages.map((path) => `${path} ${site.fetches(path).filter((at) => at > began).length}`);
      check(early.length === 0, `plan ${round}: no page before its time; fetches: ${made.join(', ')}`);
    }
    const log = readFileSync(`${home}/crawl-log.ndjson`, 'utf8');
    const lines = (path: string): string[] => log.split('\n').filter((line) => line.includes(`${path}"`));
    check(lines('/moves').length === 0, 'a page that redirects is left out of the log');
    check(lines('/newhome').length > 0, `the target of the redirect is in it, ${lines('/newhome').length} lines`);
    check(/"status":404/.test(lines('/dies').at(-1) ?? ''), 'a page that is gone ends with a 404');
    const versions = new Set(lines('/every/5').map((line) => /"signature":"(\d+)"/.exec(line)?.[1]));
    const fetches = lines('/every/5').length;
    check(fetches > 2 && versions.size === fetches, `/every/5 was another at each of ${fetches} fetches`);
    check(
      new Set(lines('/every/100000').map((line) => /"signature":"(\d+)"/.exec(line)?.[1])).size === 1,
      'a page that does not change was seen in one',
    );
  } finally {
    site.close();
  }
}
