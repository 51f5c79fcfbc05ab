/**
 * URLFrontier by the letter of its README, and the loop by a plan of StormCrawler's. There is no engine for containers
 * here: in the frontier's place stands the stub of its interface that the tests have.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { freePort, waitFor } from '../../test/integrations/wait-for.ts';
import { blocks, check, follow, type Place, withOwn } from './readme.ts';

const program = `package org.crawloptimizer.urlfrontier;

import crawlercommons.urlfrontier.URLFrontierGrpc;
import crawlercommons.urlfrontier.Urlfrontier.GetParams;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.ServerBuilder;

public class Frontier {
  public static void main(String[] words) throws Exception {
    int port = Integer.parseInt(words[0]);
    if (words.length == 1) {
      ServerBuilder.forPort(port).addService(new FrontierStub()).build().start().awaitTermination();
    }
    ManagedChannel channel = ManagedChannelBuilder.forTarget("localhost:" + port).usePlaintext().build();
    GetParams due = GetParams.newBuilder().setKey(words[1]).setCrawlID("DEFAULT").setMaxUrlsPerQueue(10).build();
    URLFrontierGrpc.newBlockingStub(channel).getURLs(due).forEachRemaining(url -> System.out.println(url.getUrl()
        + " " + url.getMetadataOrThrow("plan.intervalIfUnchanged").getValues(0)));
    channel.shutdownNow();
  }
}
`;

export async function urlfrontier(clone: string, { folder, env }: Place, work: string): Promise<void> {
  const module = `${folder}/integrations/urlfrontier`;
  const place = { folder: module, env };
  const port = await freePort();
  const own = { 'localhost:7071': `localhost:${port}` };
  const source = `${work}/frontier/org/crawloptimizer/urlfrontier`;
  mkdirSync(source, { recursive: true });
  writeFileSync(`${source}/Frontier.java`, program);
  const stub = 'src/test/java/org/crawloptimizer/urlfrontier/FrontierStub.java';
  copyFileSync(`${clone}/integrations/urlfrontier/${stub}`, `${source}/FrontierStub.java`);
  const classpath = `-cp "$(cat ${work}/classpath):${work}/frontier"`;
  await follow(`mvn -q -B dependency:build-classpath -Dmdep.outputFile=${work}/classpath`, place, true);
  await follow(`javac -nowarn ${classpath} ${source}/*.java`, place, true);
  const frontier = spawn('bash', ['-c', `exec java ${classpath} org.crawloptimizer.urlfrontier.Frontier ${port}`]);
  const due = async (): Promise<string[]> => {
    const said = await follow(
      `java ${classpath} org.crawloptimizer.urlfrontier.Frontier ${port} a.example`,
      place,
      true,
    );
    return said
      .trim()
      .split('\n')
      .filter((line) => line.startsWith('http'));
  };
  try {
    await waitFor('the frontier', due);
    const began = Math.floor(Date.now() / 1000) - 86_400;
    const lines = Array.from({ length: 48 }, (_, n) => {
      const page = n % 2 === 0 ? 'changes' : 'stays';
      const fetch = { page: `https://a.example/${page}`, time: began + 1800 * n, status: 200 };
      return JSON.stringify({ ...fetch, signature: n % 2 === 0 ? `s${n}` : 's' });
    });
    writeFileSync(`${module}/crawl-log.ndjson`, `${lines.join('\n')}\n`);
    const [, request, plan, put] = blocks(`${module}/README.md`, null, 'sh')[0].trimEnd().split('\n');
    await follow(withOwn(request, { '30000': '40 --interval 1h' }), place);
    await follow(plan, place);
    await follow(withOwn(put, own), place);
    const { solution } = JSON.parse(readFileSync(`${module}/plan.json`, 'utf8'));
    const soon: { id: string; nextFetch: number | null; intervalIfUnchanged: number | null }[] = solution.pages;
    const wanted = soon
      .filter(({ nextFetch }) => nextFetch !== null)
      .sort((a, b) => Number(a.nextFetch) - Number(b.nextFetch));
    const given = await waitFor('the first page', async () => {
      const urls = await due();
      return urls.length > 0 ? urls : undefined;
    });
    const [first] = wanted;
    check(
      given[0] === `${first.id} ${first.intervalIfUnchanged ?? 'never'}`,
      `the plan's first page comes first: ${given.join(', ')}`,
    );
    check((await due()).length === 0, 'the delay of its host holds');

    const storm = { folder: `${folder}/integrations/stormcrawler`, env };
    const metadata = {
      'plan%2Efetches': lines.filter((_, n) => n % 2 === 0).map((_, n) => `${began + 3600 * n}:${n}`),
    };
    const status = { url: 'https://b.example/', status: 'FETCHED', nextFetchDate: new Date().toISOString(), metadata };
    writeFileSync(`${storm.folder}/status.ndjson`, `${JSON.stringify(status)}\n`);
    const loop = blocks(`${storm.folder}/README.md`, 'By a plan, with URLFrontier', 'sh')[0].trimEnd().split('\n');
    for (const round of [1, 2]) {
      await follow(withOwn(loop[0], { '30000 --interval 1d': `${20 * round} --interval 1h` }), storm);
      const said = await follow(withOwn(loop[1], own), storm);
      check(/^1 pages put$/m.test(said), `StormCrawler's plan ${round} is in the frontier`);
    }
  } finally {
    frontier.kill();
  }
}
