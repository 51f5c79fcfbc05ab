/** The site on loopback that Scrapy's tests crawl. */
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** @returns the site once it listens; whoever asked for it ends its process */
export async function spawnSite(python: string): Promise<{ readonly site: ChildProcess; readonly url: string }> {
  const site = spawn(python, [resolve('integrations/scrapy/tests/site.py')], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: site.stdout })) return { site, url: `http://127.0.0.1:${line}` };
  throw new Error('the site ended before it listened');
}
