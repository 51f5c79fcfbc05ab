/**
 * What the first request of each kind takes after a start, beside the second and the eighth. One service with one
 * worker is asked the first example of every operation. Milliseconds by the clock, until the answer has come.
 */
import { exampleRequest } from '../src/examples.ts';
import { operations } from '../src/operations/index.ts';
import type { Benchmark } from './benchmark.ts';
import { serviceFile, startServer } from './service/server-process.ts';

const asks = 8;
const figures: Record<string, string> = {};

async function answeredMs(url: string, body: string): Promise<number> {
  const start = performance.now();
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
  return performance.now() - start;
}

async function askEach(url: string): Promise<void> {
  const sums = new Array<number>(asks).fill(0);
  const said = (times: readonly number[]): string =>
    [0, 1, asks - 1].map((k) => `${times[k].toFixed(1)} ms`).join(', then ');
  for (const { name, examples } of operations) {
    const body = JSON.stringify(exampleRequest(examples[0]));
    const times: number[] = [];
    for (let k = 0; k < asks; k++) times.push(await answeredMs(`${url}/v1/${name}`, body));
    for (const [k, each] of times.entries()) sums[k] += each;
    figures[name] = said(times);
  }
  figures.all = said(sums);
}

export const benchmarks: readonly Benchmark[] = [
  {
    name: 'first requests after a start: of each operation the first, the second and the eighth',
    repetitions: 1,
    async check() {
      const start = performance.now();
      const { url, stop } = await startServer(serviceFile);
      figures['from start to listening'] = `${(performance.now() - start).toFixed(0)} ms`;
      await askEach(url);
      await stop();
    },
    run() {},
    figures: () => figures,
  },
];
