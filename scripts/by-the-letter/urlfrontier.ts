/**
 * URLFrontier by the letter of its README, and the loop by a plan of StormCrawler's. FRONTIER=host:port names a frontier
 * that runs. Otherwise the stub of its interface that the tests have stands in its place.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { freePort, waitFor } from '../../test/integrations/wait-for.ts';
import { blocks, check, checkVersions, follow, type Place, withOwn } from './readme.ts';
import { type Site, startSite } from './site.ts';

/** The stub; what is due in a queue; a crawler that takes the pages of a queue and comes back by their intervals. */
const program = `package org.crawloptimizer.urlfrontier;

import crawlercommons.urlfrontier.URLFrontierGrpc;
import crawlercommons.urlfrontier.Urlfrontier.*;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.ServerBuilder;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.net.http.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.CountDownLatch;

public class Frontier {
  static ManagedChannel channel;

  public static void main(String[] words) throws Exception {
    String[] address = words[0].split(":");
    if (words.length == 1) {
      ServerBuilder.forPort(Integer.parseInt(address[1])).addService(new FrontierStub()).build().start()
          .awaitTermination();
    }
    channel = ManagedChannelBuilder.forTarget(words[0]).usePlaintext().build();
    if (words.length == 2) {
      for (URLInfo url : due(words[1], 10)) System.out.println(url.getUrl() + " " + first(url, "plan.intervalIfUnchanged"));
    } else {
      crawl(words[1], System.currentTimeMillis() + 1000L * Integer.parseInt(words[2]), Path.of(words[3]));
    }
    channel.shutdownNow();
  }

  static List<URLInfo> due(String key, int most) {
    List<URLInfo> urls = new ArrayList<>();
    GetParams asked = GetParams.newBuilder().setKey(key).setCrawlID("DEFAULT").setMaxUrlsPerQueue(most).build();
    URLFrontierGrpc.newBlockingStub(channel).getURLs(asked).forEachRemaining(urls::add);
    return urls;
  }

  static String first(URLInfo url, String name) {
    return url.containsMetadata(name) ? url.getMetadataOrThrow(name).getValues(0) : "none";
  }

  static void crawl(String key, long end, Path log) throws Exception {
    HttpClient http = HttpClient.newHttpClient();
    while (System.currentTimeMillis() < end) {
      long asked = System.currentTimeMillis();
      for (URLInfo url : due(key, 1)) {
        long given = System.currentTimeMillis();
        HttpResponse<String> answer =
            http.send(HttpRequest.newBuilder(URI.create(url.getUrl())).build(), HttpResponse.BodyHandlers.ofString());
        double now = System.currentTimeMillis() / 1000.0;
        String signature = Integer.toHexString(answer.body().hashCode());
        String held = first(url, "signature");
        boolean changed = !held.equals("none") && !held.equals(signature);
        String interval = first(url, changed ? "plan.intervalIfChanged" : "plan.intervalIfUnchanged");
        long next = interval.equals("never") ? 9_999_999_999L : (long) Math.ceil(now + Double.parseDouble(interval));
        Files.writeString(log, String.format(Locale.ROOT,
            "{\\"page\\":\\"%s\\",\\"time\\":%.3f,\\"status\\":%d,\\"signature\\":\\"%s\\"}\\n",
            url.getUrl(), now, answer.statusCode(), signature), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        System.out.println(url.getUrl() + " " + held + " " + asked + " " + given);
        URLInfo kept = url.toBuilder()
            .putMetadata("signature", StringList.newBuilder().addValues(signature).build()).build();
        put(URLItem.newBuilder().setID(url.getUrl())
            .setKnown(KnownURLItem.newBuilder().setInfo(kept).setRefetchableFromDate(next)).build());
      }
      Thread.sleep(100);
    }
  }

  static void put(URLItem item) throws Exception {
    CountDownLatch taken = new CountDownLatch(1);
    StreamObserver<URLItem> items = URLFrontierGrpc.newStub(channel).putURLs(new StreamObserver<>() {
      public void onNext(AckMessage message) {}

      public void onError(Throwable error) {
        throw new IllegalStateException(error);
      }

      public void onCompleted() {
        taken.countDown();
      }
    });
    items.onNext(item);
    items.onCompleted();
    taken.await();
  }
}
`;

export async function urlfrontier(clone: string, { folder, env }: Place, work: string): Promise<void> {
  const module = `${folder}/integrations/urlfrontier`;
  const place = { folder: module, env };
  const running = process.env.FRONTIER;
  const address = running ?? `localhost:${await freePort()}`;
  const own = { 'localhost:7071': address };
  const source = `${work}/frontier/org/crawloptimizer/urlfrontier`;
  mkdirSync(source, { recursive: true });
  writeFileSync(`${source}/Frontier.java`, program);
  const stub = 'src/test/java/org/crawloptimizer/urlfrontier/FrontierStub.java';
  copyFileSync(`${clone}/integrations/urlfrontier/${stub}`, `${source}/FrontierStub.java`);
  const classpath = `-cp "$(cat ${work}/classpath):${work}/frontier"`;
  await follow(`mvn -q -B dependency:build-classpath -Dmdep.outputFile=${work}/classpath`, place, true);
  await follow(`javac -nowarn ${classpath} ${source}/*.java`, place, true);
  const java = `java ${classpath} org.crawloptimizer.urlfrontier.Frontier ${address}`;
  const frontier = running === undefined ? spawn('bash', ['-c', `exec ${java}`]) : undefined;
  const site = await startSite();
  const due = async (): Promise<string[]> => {
    const said = await follow(`${java} a.example`, place, true);
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

    await closedLoop(place, [request, plan, put], { java, site, own });

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
    frontier?.kill();
    site.close();
  }
}

interface Loop {
  readonly java: string;
  readonly site: Site;
  readonly own: Readonly<Record<string, string>>;
}

/** Three plans of a site that changes, each followed by a crawler that takes what the frontier gives. */
async function closedLoop(place: Place, [request, plan, put]: readonly string[], { java, site, own }: Loop) {
  const pages = ['/every/5', '/every/60', '/every/100000'].map((path) => site.base + path);
  const log = `${place.folder}/crawl-log.ndjson`;
  // the first plan: every page, at once
  writeFileSync(`${place.folder}/plan.ndjson`, pages.map((id) => `${JSON.stringify({ id, interval: 1 })}\n`).join(''));
  rmSync(log, { force: true });
  await follow(withOwn(put, { ...own, 'plan.json': 'plan.ndjson', 'request.json': '86400' }), place);
  await follow(`${java} 127.0.0.1 12 ${log}`, place, true);
  for (const round of [1, 2, 3]) {
    await follow(withOwn(request, { '30000': '16 --interval 40s', '10s': '1s' }), place);
    await follow(plan, place);
    await follow(withOwn(put, own), place);
    const { solution } = JSON.parse(readFileSync(`${place.folder}/plan.json`, 'utf8'));
    const planned: { id: string; nextFetch: number | null }[] = solution.pages;
    const began = Date.now() / 1000;
    const said = await follow(`${java} 127.0.0.1 45 ${log}`, place, true);
    const fetched = said
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' '));
    const made = planned.map(({ id }) => site.fetches(id.slice(site.base.length)).filter((at) => at > began));
    const counts = planned.map(({ id }, k) => `${id.slice(site.base.length)} ${made[k].length}`).join(', ');
    const early = planned.some(({ nextFetch }, k) => made[k].some((at) => at < (nextFetch ?? 1e18)));
    check(!early, `plan ${round}, from the frontier, none before its time: ${counts}`);
    const forgotten = fetched.filter(([, held]) => held === 'none').length;
    check(forgotten === 0, `plan ${round} leaves the signatures of ${fetched.length} fetches`);
    const apart = fetched.slice(1).map(([, , , given], k) => Number(given) - Number(fetched[k][2]));
    check(Math.min(...apart) >= 1000, `the host's delay holds: ${Math.min(...apart)} ms at least`);
  }
  checkVersions(log);
}
