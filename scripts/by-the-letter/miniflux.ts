/** Miniflux by the letter of the sidecar's README: by a price, by a plan, and for ever through a crash of Miniflux. */
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresPrograms } from '../../test/engines/postgres-server.ts';
import { startMiniflux } from '../../test/integrations/miniflux-instance.ts';
import { freePort } from '../../test/integrations/wait-for.ts';
import { blocks, check, follow, type Place, withOwn } from './readme.ts';
import { startSite } from './site.ts';

/** Seconds between two entries of a feed. */
const often = [30, 31, 32, 33];
const seldom = [3000, 3100, 3200, 3300];

export async function miniflux(clone: string, { folder, env }: Place): Promise<void> {
  const readme = `${folder}/integrations/miniflux/README.md`;
  const site = await startSite(true);
  const feeds = [...often, ...seldom].map((every) => `${site.base}/every/${every}`);
  const instance = await startMiniflux(`${clone}/artefacts/miniflux/miniflux`, postgresPrograms ?? '', feeds);
  const count = (list: readonly number[], since: number): number =>
    list.reduce((sum, every) => sum + site.fetches(`/every/${every}`).filter((at) => at > since).length, 0);
  const made = (since: number): [number, number] => [count(often, since), count(seldom, since)];
  try {
    const [build, key, byPrice] = blocks(readme, null, 'sh')[0].trimEnd().split('\n');
    await follow(build, { folder, env });
    const place = { folder: `${folder}/integrations/miniflux`, env };
    const export_ = withOwn(key, { '…': instance.key });
    // eight feeds and four refreshes a minute; the sidecar looks once a minute
    const perDay = 4 * 1440;
    const api = { 'http://localhost:8081': instance.base };
    const price = withOwn(byPrice, { ...api, '500': `${perDay} -min-interval 10s` });
    let began = Date.now() / 1000;
    await follow(`${export_}\n${price.replace(/^/, 'timeout 365 ')} || [ $? = 124 ]`, place);
    let [busy, quiet] = made(began);
    const wanted = (6 * perDay) / 1440;
    check(
      busy > quiet,
      `by the price the busy feeds are refreshed oftener: ${busy} and ${quiet} refreshes in 6 minutes`,
    );
    check(busy + quiet <= wanted + 8 && busy + quiet >= wanted / 2, `${busy + quiet} refreshes of ${wanted} wanted`);

    const [serve, once, forever] = blocks(readme, 'By a plan', 'sh')[0].trimEnd().split('\n');
    const port = await freePort();
    const short = `-interval 30s -min-interval 1s -service http://127.0.0.1:${port}`;
    const planned = withOwn(once, { ...api, '500': '24', '-interval 24h': short });
    const service = `PORT=${port} ${serve.replace(/ &$/, '')} >/dev/null 2>&1 &\ntrap 'kill %1' EXIT\nsleep 8`;
    began = Date.now() / 1000;
    await follow([export_, service, planned, planned].join('\n'), place);
    [busy, quiet] = made(began);
    check(busy + quiet === 48 && busy > quiet, `two plans of 24 refreshes each: ${busy} and ${quiet}`);
    began = Date.now() / 1000;
    const endless = withOwn(forever, { ...api, '500': '24', '-forever': `${short} -forever` });
    const running = follow([export_, service, `timeout 130 ${endless} || [ $? = 124 ]`].join('\n'), place);
    await sleep(40_000);
    await instance.crash();
    await sleep(10_000);
    instance.start();
    const restarted = Date.now() / 1000;
    const said = await running;
    [busy, quiet] = made(restarted + 20);
    check(
      /refused/.test(said) && busy + quiet > 0,
      `after a crash of Miniflux it goes on: ${busy} and ${quiet} refreshes`,
    );
  } finally {
    instance.stop();
    site.close();
  }
}
