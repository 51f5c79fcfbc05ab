/**
 * A crawl log → a request for crawl-plan. The log has one JSON object a line: url, time (ISO 8601 or epoch seconds), status,
 * and what tells a change: a signature of the content, or the Last-Modified the server sent.
 *
 *   node log-to-request.mjs crawl-log.ndjson --now 2026-06-11T00:00:00Z --interval 86400 --crawls 60
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { now: { type: 'string' }, interval: { type: 'string' }, crawls: { type: 'string' } },
});
const seconds = (time) => (typeof time === 'number' ? time : Date.parse(time) / 1000);

const pages = new Map();
for (const line of readFileSync(positionals[0] ?? '/dev/stdin', 'utf8').split('\n')) {
  if (line.trim() === '') continue;
  const { url, time, status, signature, lastModified } = JSON.parse(line);
  const observation = { time: seconds(time), status };
  if (signature !== undefined) observation.signature = signature;
  if (lastModified !== undefined) observation.lastModified = seconds(lastModified);
  if (!pages.has(url)) pages.set(url, { id: url, host: new URL(url).host, observations: [] });
  pages.get(url).observations.push(observation);
}
for (const page of pages.values()) page.observations.sort((a, b) => a.time - b.time);

const request = {
  now: values.now === undefined ? Math.floor(Date.now() / 1000) : seconds(values.now),
  interval: Number(values.interval ?? 86400),
  crawls: Number(values.crawls ?? 60),
  pages: [...pages.values()],
};
process.stdout.write(`${JSON.stringify(request)}\n`);
