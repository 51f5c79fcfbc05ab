/**
 * The rule of Miniflux as the replays have it, held against Miniflux's own functions: `node
 * bench/replay/feeds/against-miniflux.ts RECORD`. It needs Go (the module comes from Go's proxy) and PostgreSQL.
 *
 * Feeds of the record are looked at at moments drawn at random. Miniflux's `WeeklyFeedEntryCount` counts their entries in
 * a database, its `ScheduleNextCheck` makes an interval of the count. It counts up to the present, so entries are moved
 * there. It rounds intervals to minutes.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { postgresPrograms, startPostgres } from '../../../test/engines/postgres-server.ts';
import { readTrace } from '../page-history.ts';
import { miniflux } from './feed-rules.ts';

const version = 'v2.2.10';
const looks = 1000;

/** One line a feed: the ages of its entries, in seconds. Answers the count and the minutes. */
const program = `package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"miniflux.app/v2/internal/config"
	"miniflux.app/v2/internal/database"
	"miniflux.app/v2/internal/model"
	"miniflux.app/v2/internal/storage"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	var err error
	config.Opts, err = config.NewParser().ParseEnvironmentVariables()
	must(err)
	db, err := database.NewConnectionPool(os.Args[1], 1, 1, time.Minute)
	must(err)
	_, err = db.Exec("CREATE TABLE entries (user_id bigint, feed_id bigint, published_at timestamptz)")
	must(err)
	store := storage.NewStorage(db)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	for feed := int64(1); lines.Scan(); feed++ {
		var ages []float64
		must(json.Unmarshal(lines.Bytes(), &ages))
		for _, age := range ages {
			_, err = db.Exec("INSERT INTO entries VALUES (1, $1, now() - $2 * interval '1 second')", feed, age)
			must(err)
		}
		count, err := store.WeeklyFeedEntryCount(1, feed)
		must(err)
		own := &model.Feed{}
		fmt.Println(count, own.ScheduleNextCheck(count, 0))
	}
}
`;

const [file] = process.argv.slice(2);
if (file === undefined || postgresPrograms === undefined) throw new Error('a record of feeds, and PostgreSQL');
const week = 7 * 86_400;
const random = seededRandom(1);
const feeds = readTrace(file);
const asked = Array.from({ length: looks }, () => {
  const { changes } = feeds[Math.floor(random() * feeds.length)];
  const entries = Float64Array.from(changes).sort();
  const now = entries[Math.floor(random() * entries.length)] + 86_400 * 10 ** (3 * random() - 2);
  const known = entries.findIndex((time) => time > now);
  return { entries, now, known: known < 0 ? entries.length : known };
});

const work = mkdtempSync(join(tmpdir(), 'miniflux-'));
const database = startPostgres(postgresPrograms);
try {
  const told = execFileSync('go', ['mod', 'download', '-json', `miniflux.app/v2@${version}`], {
    cwd: work,
    encoding: 'utf8',
  });
  const source: { readonly Dir: string } = JSON.parse(told);
  const copy = join(work, 'source');
  cpSync(source.Dir, copy, { recursive: true });
  // folders of the module cache may not be written to, nor those of a copy
  const inside = readdirSync(copy, { recursive: true, withFileTypes: true }).filter((each) => each.isDirectory());
  for (const folder of [copy, ...inside.map((each) => join(each.parentPath, each.name))]) chmodSync(folder, 0o755);
  mkdirSync(join(copy, 'rule'));
  writeFileSync(join(copy, 'rule', 'main.go'), program);
  const input = asked.map(({ entries, now, known }) => {
    return JSON.stringify(Array.from(entries.subarray(0, known), (time) => now - time).filter((age) => age < 2 * week));
  });
  const answers = execFileSync('go', ['run', './rule', database.url], {
    cwd: copy,
    input: `${input.join('\n')}\n`,
    encoding: 'utf8',
    env: { ...process.env, POLLING_SCHEDULER: 'entry_frequency' },
    maxBuffer: 2 ** 26,
  });
  let same = 0;
  let counted = 0;
  for (const [k, line] of answers.trim().split('\n').entries()) {
    const [count, minutes] = line.split(' ').map(Number);
    if (count > 0) counted++;
    const own = miniflux({ ...asked[k], found: 0, again: true, interval: Number.NaN, lastFound: Number.NaN });
    if (Math.abs(own / 60 - minutes) <= 0.5) same++;
    else console.log(`feed ${k}: ${minutes} min by Miniflux (${count} a week), ${own / 60} by the rule: ${input[k]}`);
  }
  console.log(`${same} of ${looks} intervals are those of Miniflux ${version}; ${counted} of feeds with a count`);
  process.exitCode = same === looks ? 0 : 1;
} finally {
  database.stop();
  rmSync(work, { recursive: true, force: true });
}
