/**
 * Takes the place of the service's address in the demonstration. The published document is a file beside the page, and
 * workers of the browser answer questions.
 */
import type { Progress } from '../console/api/answer.ts';
import type { Leaving, Reply, Service } from '../console/api/service.ts';
import { limits } from './limits.ts';
import type { Asked, Told } from './solver.ts';

/** A worker that has no question; it has its code loaded already. */
let idle: Worker | undefined;

function takeWorker(): Worker {
  const worker = idle ?? new Worker(new URL('./solver.ts', import.meta.url), { type: 'module' });
  idle = undefined;
  return worker;
}

function giveBack(worker: Worker): void {
  worker.onmessage = null;
  worker.onerror = null;
  if (idle === undefined) idle = worker;
  else worker.terminate();
}

const orNull = (value: number | undefined): number | null => value ?? null;

/** A worker of the browser hears nothing while it solves: to stop it is to leave it. */
function ask(operation: string, request: unknown, { signal, stop }: Leaving, onProgress: (progress: Progress) => void) {
  return new Promise<Reply>((resolve, reject) => {
    signal.throwIfAborted();
    const worker = takeWorker();
    const leave = (): void => {
      worker.terminate();
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    stop?.addEventListener('abort', leave, { once: true });
    const staying = (): void => {
      signal.removeEventListener('abort', leave);
      stop?.removeEventListener('abort', leave);
    };
    worker.onmessage = ({ data }: MessageEvent<Told>) => {
      if (data.kind === 'progress') {
        const { fraction, incumbent, bound } = data;
        onProgress({ fraction: orNull(fraction), incumbent: orNull(incumbent), bound: orNull(bound) });
        return;
      }
      staying();
      giveBack(worker);
      resolve({ kind: data.kind, value: JSON.parse(data.json) });
    };
    worker.onerror = (event) => {
      staying();
      worker.terminate();
      reject(new Error(event.message || 'the solver could not be loaded'));
    };
    const asked: Asked = { operation, request };
    worker.postMessage(asked);
  });
}

async function publishedDocument(): Promise<unknown> {
  const response = await fetch(new URL('openapi.json', document.baseURI));
  if (!response.ok) throw new Error(`openapi.json answered ${response.status}`);
  return response.json();
}

export const service: Service = {
  publishedDocument,
  ask,
  notice: `A demonstration: your browser solves, within ${limits.maxTimeLimitMs / 1000} s and its own memory, and nothing leaves this page. The service does the same faster, for larger tables and for programs.`,
};
