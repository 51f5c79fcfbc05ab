/** changedetection.io by the letter of the sidecar's README: by a price, its own intervals again, and by a plan. */
import { existsSync, mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { changedetectionPrograms, startChangedetection } from '../../test/integrations/changedetection-instance.ts';
import { freePort } from '../../test/integrations/wait-for.ts';
import { blocks, check, follow, type Place, withOwn } from './readme.ts';
import { startSite } from './site.ts';

const pages = ['/every/20', '/every/25', '/every/100000', '/every/200000'];
/** One check of a watch in this many seconds. */
const mean = 10;
const own = { weeks: 0, days: 0, hours: 0, minutes: 0, seconds: mean };

export async function changedetection(clone: string, { folder, env }: Place, work: string): Promise<void> {
  const programs = changedetectionPrograms(clone);
  if (programs === null) throw new Error('no artefacts/changedetection');
  const readme = `${folder}/integrations/changedetection/README.md`;
  const site = await startSite();
  const home = `${work}/changedetection`;
  mkdirSync(home);
  const instance = await startChangedetection(programs, home);
  const made = (since: number): number[] => pages.map((path) => site.fetches(path).filter((at) => at > since).length);
  const said = (counts: readonly number[]): string => pages.map((path, at) => `${path} ${counts[at]}`).join(', ');
  const intervals = async (): Promise<string> =>
    JSON.stringify((await instance.watches()).map((watch) => [watch.uuid, watch.time_between_check]).sort());
  try {
    await follow(`python3 -m venv ${work}/venv`, { folder: work, env }, true);
    const place = { folder, env: { ...env, PATH: `${work}/venv/bin:${env.PATH}` } };
    const [install, export_, byPrice, restore] = blocks(readme, null, 'sh')[0].trimEnd().split('\n');
    await follow(install, place);
    for (const path of pages) {
      const settings = { time_between_check: own, time_between_check_use_default: false };
      await instance.ask('POST', '/watch', { url: site.base + path, ...settings });
    }
    await sleep(100_000);
    const before = await intervals();
    const command = 'crawl-optimizer-changedetection';
    const at = { [command]: `${command} --api ${instance.base} --min-interval 5` };
    const head = withOwn(export_, { '…': instance.key });
    const perDay = String((86_400 / mean) * pages.length);
    for (const round of [1, 2]) {
      await follow(`${head}\n${withOwn(byPrice, { ...at, '--per-day 200': `--per-day ${perDay}` })}`, place);
      const began = Date.now() / 1000;
      await sleep(100_000);
      const counts = made(began);
      check(
        Math.max(counts[2], counts[3]) < Math.min(counts[0], counts[1]),
        `by the price, run ${round}, 100 s of ${(100 / mean) * pages.length} checks: ${said(counts)}`,
      );
    }
    await follow(`${head}\n${withOwn(restore, at)}`, place);
    check((await intervals()) === before, "--restore puts the watches' own intervals back");

    const [serve, intervalsOnly, recheck] = blocks(readme, 'By a plan', 'sh')[0].trimEnd().split('\n');
    const port = await freePort();
    const service = `PORT=${port} ${serve.replace(/ &$/, '')} >/dev/null 2>&1 &\ntrap 'kill %1' EXIT\nsleep 8`;
    const planned = {
      [command]: `${at[command]} --service http://127.0.0.1:${port}`,
      '200 --interval 86400': '20 --interval 60',
    };
    const began = Date.now() / 1000;
    await follow([head, service, withOwn(intervalsOnly, planned), 'sleep 60'].join('\n'), place);
    check(made(began)[0] > 0, `by a plan's intervals, 60 s of 20 checks: ${said(made(began))}`);
    for (const round of [1, 2]) {
      await follow(`${head}\n${withOwn(restore, at)}`, place);
      await follow([head, service, withOwn(recheck, planned)].join('\n'), place);
      // before the plan's interval the watches have their own
      const counts = made(Date.now() / 1000 - 58);
      const sum = counts.reduce((all, each) => all + each, 0);
      check(sum >= 15 && sum <= 22, `rechecks by plan ${round}, of 20 in 60 s: ${said(counts)}`);
    }
    check(!existsSync(`${folder}/changedetection-intervals.json`), 'no interval is left to be put back');
  } finally {
    instance.stop();
    site.close();
  }
}
