/**
 * The rules of CommaFeed, FreshRSS-AutoTTL and rss-fetcher as the replays have them, held against their own code: `node
 * bench/replay/feeds/against-sources.ts RECORD SOURCES`. It needs Java, PHP with SQLite, and Python.
 *
 * SOURCES has the files that hold the rules, at the commits that feed-rules.ts names: FeedRefreshIntervalCalculator.java,
 * AutoTTLStats.php and tasks.py, in any folder. CommaFeed's class gets the mean gap of the entries shown. AutoTTL's
 * finds its own in a database of entries moved to the present; rss-fetcher's functions follow each feed from fetch to
 * fetch.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { readTrace } from '../page-history.ts';
import { autoTtl, commaFeed, type FeedAtFetch, type FeedRule, mediaCloud } from './feed-rules.ts';

const looks = 1000;
const day = 86_400;
const shown = 10;

/** What CommaFeed's class stands on, as far as it does, and a program that asks it. */
const javaFiles: Readonly<Record<string, string>> = {
  'jakarta/inject/Singleton.java': 'package jakarta.inject; public @interface Singleton {}',
  'com/google/common/primitives/Longs.java': `package com.google.common.primitives;
public class Longs {
  public static long constrainToRange(long v, long a, long b) { return Math.min(Math.max(v, a), b); }
}`,
  'org/apache/commons/lang3/ObjectUtils.java': `package org.apache.commons.lang3;
public class ObjectUtils {
  public static <T extends Comparable<T>> T max(T a, T b) { return a == null || b != null && b.compareTo(a) > 0 ? b : a; }
  public static <T extends Comparable<T>> T min(T a, T b) { return a == null || b != null && b.compareTo(a) < 0 ? b : a; }
}`,
  'com/commafeed/CommaFeedConfiguration.java': `package com.commafeed;
import java.time.Duration;
public class CommaFeedConfiguration {
  public static class FeedRefreshErrorHandling {
    public int retriesBeforeBackoff() { return 3; }
    public Duration backoffInterval() { return Duration.ofHours(1); }
  }
  public static class FeedRefresh {
    public Duration interval() { return Duration.ofMinutes(5); }
    public Duration maxInterval() { return Duration.ofHours(4); }
    public boolean intervalEmpirical() { return true; }
    public FeedRefreshErrorHandling errors() { return new FeedRefreshErrorHandling(); }
  }
  public FeedRefresh feedRefresh() { return new FeedRefresh(); }
}`,
  'Ask.java': `import com.commafeed.CommaFeedConfiguration;
import com.commafeed.backend.feed.FeedRefreshIntervalCalculator;
import java.time.*;
import java.util.Scanner;
public class Ask {
  public static void main(String[] words) {
    Scanner lines = new Scanner(System.in);
    while (lines.hasNext()) {
      Instant now = Instant.ofEpochMilli(lines.nextLong());
      String last = lines.next();
      String mean = lines.next();
      Instant next = new FeedRefreshIntervalCalculator(new CommaFeedConfiguration(), () -> now).onFetchSuccess(
          last.equals("-") ? null : Instant.ofEpochMilli(Long.parseLong(last)),
          mean.equals("-") ? null : Long.valueOf(mean), Duration.ZERO);
      System.out.println(Duration.between(now, next).toMillis() / 1000.);
    }
  }
}`,
};

/** A line a feed: the ages of its entries. */
const php = `<?php
class Minz_ModelPdo { protected $pdo; public function __construct() { $this->pdo = $GLOBALS['pdo']; } }
$pdo = new PDO('sqlite::memory:');
$pdo->exec('CREATE TABLE _entry (id_feed INTEGER, date INTEGER)');
require $argv[1];
$stats = new AutoTTLStats(3600, 86400, 100);
for ($feed = 1; ($line = fgets(STDIN)) !== false; $feed++) {
  foreach (json_decode($line) as $age) $pdo->exec("INSERT INTO _entry VALUES ($feed, " . (time() - (int) $age) . ")");
  echo $stats->getAdjustedTTL($feed), "\\n";
}
`;

/** The functions of the file by themselves, on a clock of our own; a line a feed: its fetches in order. */
const python = `
import ast, datetime, json, sys, types
from typing import Optional
clock = [datetime.datetime(2000, 1, 1)]
class Clock(datetime.datetime):
    @classmethod
    def utcnow(cls): return clock[0]
names = dict(AUTO_ADJUST_MAX_DELTA_MIN=20, AUTO_ADJUST_MAX_DUPLICATE_PERCENT=67, AUTO_ADJUST_MIN_DUPLICATE_PERCENT=33,
    AUTO_ADJUST_MIN_POLL_MINUTES=10, AUTO_ADJUST_MAX_POLL_MINUTES=1440, AUTO_ADJUST_MINUTES=60,
    AUTO_ADJUST_SMALL_DAYS=31, AUTO_ADJUST_SMALL_MINS=10, DEFAULT_INTERVAL_MINS=720, Optional=Optional, Update=object,
    Feed=object, dt=types.SimpleNamespace(datetime=Clock), Status=types.SimpleNamespace(SUCC=1),
    DupPct=types.SimpleNamespace(NO_CHANGE=101, NO_STORIES=102), _auto_adjust_stat=lambda name: None,
    logger=types.SimpleNamespace(info=lambda *words: None))
tree = ast.parse(open(sys.argv[1]).read())
tree.body = [each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name.startswith("_check_auto_adjust")]
exec(compile(tree, sys.argv[1], "exec"), names)
at = lambda seconds: datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)
for line in sys.stdin:
    feed = types.SimpleNamespace(id=1, poll_minutes=None, update_minutes=None, last_new_stories=None, created_at=None)
    before, told = None, []
    for fetch in json.loads(line):
        clock[0] = at(fetch["now"])
        if fetch["lastFound"] is not None: feed.last_new_stories = at(fetch["lastFound"])
        feed.created_at = feed.created_at or clock[0]
        same = fetch["saved"] == 0
        update = types.SimpleNamespace(status=1, counter="same_hash", saved=None if same else fetch["saved"],
            dup=None if same else fetch["listed"] - fetch["saved"])
        feed.poll_minutes = names["_check_auto_adjust"](update, feed, feed.poll_minutes or 720, before)
        before = clock[0]
        told.append(60 * feed.poll_minutes)
    print(json.dumps(told))
`;

const [record, sources] = process.argv.slice(2);
if (record === undefined || sources === undefined) throw new Error('a record of feeds, and the folder of the sources');
const random = seededRandom(1);
const feeds = readTrace(record).map(({ changes }) => Float64Array.from(changes).sort());
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' });
const work = mkdtempSync(join(tmpdir(), 'feed-rules-'));

function source(name: string): string {
  const found = files.find((each) => each.endsWith(name));
  if (found === undefined) throw new Error(`${sources} has no ${name}`);
  return join(sources, found);
}

/** A feed at a moment drawn at random. */
function look(): FeedAtFetch {
  const entries = feeds[Math.floor(random() * feeds.length)];
  const now = Math.floor(entries[Math.floor(random() * entries.length)] + day * 10 ** (3 * random() - 2));
  const known = entries.filter((time) => time <= now).length;
  return { entries, known, found: 0, now, again: true, interval: Number.NaN, lastFound: Number.NaN };
}

function compare(name: string, rule: FeedRule, asked: readonly FeedAtFetch[], theirs: readonly number[]): void {
  let same = 0;
  const intervals = new Set<number>();
  for (const [k, feed] of asked.entries()) {
    const own = rule(feed);
    intervals.add(theirs[k]);
    if (Math.abs(own - theirs[k]) <= 1) same++;
    else if (same + 5 > k) console.log(`${name}: ${theirs[k]} s by its own code, ${own} s by the rule, at ${feed.now}`);
  }
  console.log(
    `${name}: ${same} of ${asked.length} intervals are those of its own code, ${intervals.size} different ones`,
  );
  if (same < asked.length || theirs.length !== asked.length) process.exitCode = 1;
}

function byCommaFeed(asked: readonly FeedAtFetch[]): number[] {
  cpSync(source('FeedRefreshIntervalCalculator.java'), join(work, 'FeedRefreshIntervalCalculator.java'));
  for (const [name, text] of Object.entries(javaFiles)) {
    mkdirSync(dirname(join(work, name)), { recursive: true });
    writeFileSync(join(work, name), text);
  }
  const written = ['FeedRefreshIntervalCalculator.java', ...Object.keys(javaFiles)];
  execFileSync('javac', ['-d', 'classes', ...written], { cwd: work });
  const input = asked.map(({ entries, known, now }) => {
    const first = Math.max(0, known - shown);
    const mean =
      known - first < 2 ? '-' : Math.round((1000 * (entries[known - 1] - entries[first])) / (known - 1 - first));
    return `${1000 * now} ${known === 0 ? '-' : Math.round(1000 * entries[known - 1])} ${mean}`;
  });
  const told = execFileSync('java', ['-cp', 'classes', 'Ask'], {
    cwd: work,
    input: input.join('\n'),
    encoding: 'utf8',
  });
  return told.trim().split('\n').map(Number);
}

function byAutoTtl(asked: readonly FeedAtFetch[]): number[] {
  writeFileSync(join(work, 'ask.php'), php);
  const input = asked.map(({ entries, known, now }) =>
    JSON.stringify(Array.from(entries.subarray(0, known), (time) => Math.floor(now - time))),
  );
  const options = { input: `${input.join('\n')}\n`, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  return execFileSync('php', [join(work, 'ask.php'), source('AutoTTLStats.php')], options)
    .trim()
    .split('\n')
    .map(Number);
}

/** Each feed over two months by the rule itself; what its functions say of the same fetches. */
function followed(): readonly FeedAtFetch[][] {
  return Array.from({ length: 100 }, () => {
    const { entries, now: start } = look();
    const fetches: FeedAtFetch[] = [];
    let [known, interval, lastFound] = [0, Number.NaN, Number.NaN];
    for (let now = start; now < start + 60 * day; now += interval) {
      const before = known;
      while (known < entries.length && entries[known] <= now) known++;
      const found = fetches.length === 0 ? Math.min(shown, known) : known - before;
      if (found > 0) lastFound = now;
      const feed = { entries, known, found, now, again: fetches.length > 0, interval, lastFound };
      interval = mediaCloud(feed);
      fetches.push(feed);
    }
    return fetches;
  });
}

function byMediaCloud(runs: readonly FeedAtFetch[][]): number[] {
  const input = runs.map((fetches) =>
    JSON.stringify(
      fetches.map(({ now, known, found, lastFound }) => {
        const listed = Math.min(shown, known);
        return { now, listed, saved: Math.min(found, listed), lastFound: Number.isNaN(lastFound) ? null : lastFound };
      }),
    ),
  );
  const options = { input: `${input.join('\n')}\n`, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const told = execFileSync('python3', ['-c', python, source('tasks.py')], options);
  return told
    .trim()
    .split('\n')
    .flatMap((line): number[] => JSON.parse(line));
}

try {
  const asked = Array.from({ length: looks }, look);
  compare('CommaFeed', commaFeed, asked, byCommaFeed(asked));
  compare('FreshRSS with AutoTTL', autoTtl, asked, byAutoTtl(asked));
  const runs = followed();
  compare('Media Cloud', mediaCloud, runs.flat(), byMediaCloud(runs));
} finally {
  rmSync(work, { recursive: true, force: true });
}
