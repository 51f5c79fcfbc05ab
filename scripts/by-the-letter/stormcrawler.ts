/**
 * StormCrawler 2.4 by the letter of its README, in Storm's local mode. Its module for URLFrontier is not in the
 * registries: in place of it stand StormCrawler's own spout and status in memory.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { blocks, check, follow, type Place, withOwn } from './readme.ts';
import { startSite } from './site.ts';

const dependency = (group: string, artifact: string, version: string): string =>
  `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>example</groupId><artifactId>topology</artifactId><version>1</version><dependencies>
${dependency('com.digitalpebble.stormcrawler', 'storm-crawler-core', '2.4')}
${dependency('org.apache.storm', 'storm-client', '2.4.0')}
${dependency('org.apache.storm', 'storm-server', '2.4.0')}
${dependency('org.apache.storm', 'flux-core', '2.4.0')}
${dependency('org.crawloptimizer', 'crawl-optimizer-stormcrawler', '0.1.0')}
</dependencies></project>`;

const pages = ['/every/5', '/every/40', '/every/100000', '/moves'];

export async function stormcrawler(_clone: string, { folder, env }: Place, work: string): Promise<void> {
  const module = `${folder}/integrations/stormcrawler`;
  const readme = `${module}/README.md`;
  const site = await startSite();
  site.answers.set('/moves', 301);
  try {
    const [install] = blocks(readme, null, 'sh')[0].split('\n');
    await follow(install, { folder: module, env });
    const topology = `${work}/topology`;
    mkdirSync(`${topology}/resources`, { recursive: true });
    writeFileSync(`${topology}/pom.xml`, pom);
    await follow('mvn -q -B dependency:build-classpath -Dmdep.outputFile=classpath', { folder: topology, env }, true);
    // "2.x has com.digitalpebble.stormcrawler in place of org.apache.stormcrawler, in all three files"
    const named = (file: string): string =>
      readFileSync(`${module}/topology/${file}`, 'utf8').replaceAll(
        'org.apache.stormcrawler',
        'com.digitalpebble.stormcrawler',
      );
    writeFileSync(`${topology}/resources/parsefilters.json`, named('parsefilters.json'));
    const mean = 20;
    const perDay = String((86_400 / mean) * pages.length);
    const settings = withOwn(named('crawler-conf.yaml'), {
      '604800': String(mean),
      '30000': perDay,
      "your crawler's name": 'by-the-letter',
    });
    for (const line of blocks(readme, null, 'yaml')[0].split('\n')) {
      const said = line.replace(/#.*/, '').trim();
      if (said !== '')
        check(
          settings.includes(said.replace('604800', String(mean)).replace('30000', perDay)),
          `crawler-conf.yaml has ${said}`,
        );
    }
    writeFileSync(`${topology}/crawler-conf.yaml`, `${settings}  fetcher.server.delay: 0.1\n`);
    const flux = (seeds: readonly string[]): void => {
      const spout = `"com.digitalpebble.stormcrawler.spout.MemorySpout"\n    constructorArgs:\n      - [${seeds.join(', ')}]`;
      const code = withOwn(named('crawler.flux'), {
        '"com.digitalpebble.stormcrawler.urlfrontier.Spout"': spout,
        'com.digitalpebble.stormcrawler.urlfrontier.StatusUpdaterBolt':
          'com.digitalpebble.stormcrawler.persistence.MemoryStatusUpdater',
      });
      writeFileSync(`${topology}/crawler.flux`, code);
    };
    // what `storm local` does, without Storm's own folder
    const local = async (seconds: number): Promise<void> => {
      await follow('jar cf topology.jar -C resources .', { folder: topology, env }, true);
      const java = `java -Xmx700m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dstorm.local.sleeptime=${seconds} -Dstorm.jar=topology.jar`;
      const command = `${java} -cp "resources:$(cat classpath)" org.apache.storm.LocalCluster org.apache.storm.flux.Flux crawler.flux`;
      const excused = "[ $? = 124 ] || { grep -E 'Exception|Caused' log | tail -6; exit 1; }";
      await follow(`timeout ${seconds + 120} ${command} > log 2>&1 || ${excused}`, { folder: topology, env });
    };
    flux(pages.map((path) => `"${site.base}${path}"`));
    await local(240);
    const gaps = (path: string): number[] => {
      const times = site.fetches(path);
      return times.slice(1).map((at, n) => at - times[n]);
    };
    for (const path of pages)
      console.log(
        `${path}: ${site.fetches(path).length} fetches, ${gaps(path)
          .map((gap) => gap.toFixed(0))
          .join(' ')} s apart`,
      );
    const still = gaps('/every/100000');
    check(still.length >= 2, 'two cycles and more of a page that does not change');
    check((still.at(-1) ?? 0) > (still[0] ?? 0), 'its intervals grow');
    const fetches = (path: string): number => site.fetches(path).length;
    const known = [...pages.slice(0, 3), '/newhome'];
    const times = known.flatMap((path) => site.fetches(path).slice(1));
    const wanted = ((Math.max(...times) - Math.min(...known.map((path) => site.fetches(path)[0] ?? 0))) / mean) * 4;
    check(
      times.length > 0.6 * wanted && times.length < 1.4 * wanted,
      `${times.length} fetches of known pages, ${wanted.toFixed(0)} wanted`,
    );
    check(fetches('/every/40') > fetches('/every/100000'), 'a page that changes is fetched oftener');
    check(site.fetches('/newhome').length > 0, 'the target of a redirect is fetched');

    // by a plan: its intervals come with the seeds here, which URLFrontier would hand out
    const plans: Readonly<Record<string, readonly [string, string]>> = {
      '/every/6': ['20', '8'],
      '/every/200000': ['20', '8'],
      '/every/300000': ['never', '8'],
    };
    const byPlan = blocks(readme, 'By a plan, with URLFrontier', 'yaml')[0].replace(/^/gm, '  ');
    const ofPrice = / {2}scheduler\.class:.*\n {2}crawl\.mean\.interval:.*\n {2}crawl\.per\.day:.*\n/;
    const kept = settings.replace(ofPrice, '').replace(/ {2}metadata\.persist:\n( {4}- .*\n)*/, byPlan);
    writeFileSync(`${topology}/crawler-conf.yaml`, `${kept}  fetcher.server.delay: 0.1\n`);
    const copied = { '"keyName": "signature"': '"keyName": "signature", "keyNameCopy": "signatureOld"' };
    writeFileSync(`${topology}/resources/parsefilters.json`, withOwn(named('parsefilters.json'), copied));
    const metadata = ([unchanged, changed]: readonly [string, string]): string =>
      `\\tplan.intervalIfUnchanged=${unchanged}\\tplan.intervalIfChanged=${changed}`;
    flux(Object.entries(plans).map(([path, plan]) => `"${site.base}${path}${metadata(plan)}"`));
    await local(120);
    for (const path of Object.keys(plans))
      console.log(
        `${path}: ${gaps(path)
          .map((gap) => gap.toFixed(0))
          .join(' ')} s apart`,
      );
    const [changing, same] = [gaps('/every/6'), gaps('/every/200000')];
    check(same.length > 2 && same.every((gap) => gap > 19), 'by the plan a page that stays is fetched every 20 s');
    // the first fetch has nothing to be compared with
    check(changing.length > 3 && changing.slice(1).some((gap) => gap < 19), 'one that changes every 8 s');
    check(
      changing.every((gap) => gap > 7.5),
      'and no page before its time',
    );
    check(fetches('/every/300000') === 1, 'never is never');
  } finally {
    site.close();
    await follow(
      'rm -rf ~/.m2/repository/org/crawloptimizer/crawl-optimizer-stormcrawler',
      { folder: work, env },
      true,
    );
  }
}
