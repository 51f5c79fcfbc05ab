/** Starts and asks the measured server. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Memory {
  readonly heapUsed: number;
  readonly rss: number;
  readonly workersRss: number;
  readonly inFlight: number;
}

export interface MeasuredServer {
  readonly url: string;
  memory(): Promise<Memory>;
  stop(): Promise<void>;
}

async function reply(server: ChildProcess): Promise<Record<string, unknown>> {
  const [message]: unknown[] = await once(server, 'message');
  return typeof message === 'object' && message !== null ? { ...message } : {};
}

export async function startServer(environment: Record<string, string>): Promise<MeasuredServer> {
  const file = fileURLToPath(new URL('./measured-server.ts', import.meta.url));
  const server = fork(file, [], { env: { ...process.env, ...environment }, execArgv: ['--expose-gc'] });
  const { url } = await reply(server);
  return {
    url: String(url),
    async memory() {
      const answer = reply(server);
      server.send('memory');
      const { heapUsed, rss, workersRss, inFlight } = await answer;
      return {
        heapUsed: Number(heapUsed),
        rss: Number(rss),
        workersRss: Number(workersRss),
        inFlight: Number(inFlight),
      };
    },
    async stop() {
      const exited = once(server, 'exit');
      server.send('stop');
      await exited;
    },
  };
}
