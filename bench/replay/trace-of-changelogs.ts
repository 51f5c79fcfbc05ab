/**
 * Makes a trace of the changelogs that a Debian system keeps:
 * `node bench/replay/trace-of-changelogs.ts > packages.ndjson`.
 *
 * A page is a source package, which changes at the date of every entry of its changelog. It is first fetched at the
 * date of its first entry. Its host is whoever signed most of its entries: people and teams upload several packages in
 * one go. The folder may be given in place of /usr/share/doc.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const [folder = '/usr/share/doc'] = process.argv.slice(2);
const packages = new Map<string, { times: Set<number>; signers: Map<string, number> }>();
for (const name of readdirSync(folder)) {
  let text: string;
  try {
    text = gunzipSync(readFileSync(`${folder}/${name}/changelog.Debian.gz`)).toString('utf8');
  } catch {
    continue;
  }
  const source = text.split(' ', 1)[0];
  const entry = packages.get(source) ?? { times: new Set(), signers: new Map() };
  for (const [, signer, date] of text.matchAll(/^ -- .*<(.*)> {2}(.*)$/gm)) {
    const time = Date.parse(date) / 1000;
    if (Number.isNaN(time)) continue;
    entry.times.add(time);
    entry.signers.set(signer, (entry.signers.get(signer) ?? 0) + 1);
  }
  packages.set(source, entry);
}
for (const [id, { times, signers }] of packages) {
  const [first, ...changes] = [...times].sort((a, b) => a - b);
  if (first === undefined) continue;
  const [host] = [...signers].sort((a, b) => b[1] - a[1])[0];
  console.log(JSON.stringify({ id, host, firstFetch: first, changes }));
}
