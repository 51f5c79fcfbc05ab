/**
 * `node scripts/java-records/run.ts [operation …]`: writes Java records of these operations (left out: the three that are asked
 * most) where the client for Java compiles them.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { javaPackage, javaRecords } from './records.ts';

const named = process.argv.slice(2);
const operations = named.length > 0 ? named : ['crawl-plan', 'estimates/change-rates', 'crawl-schedule'];
const folder = join('clients/java/src/main/java', ...javaPackage.split('.'));
const document: unknown = JSON.parse(readFileSync('openapi/openapi.json', 'utf8'));
const files = javaRecords(document, operations);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, text] of files) writeFileSync(join(folder, name), text);
process.stdout.write(`${[...files.keys()].join(', ')} in ${folder}\n`);
