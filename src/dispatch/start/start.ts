/** Starting a worker process with its two pipes; here, by the process that wants it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { frameDescriptor } from '../wire/frames.ts';
import { signalDescriptor } from '../wire/signals.ts';

/** What Node is given to run. */
export interface WorkerCommand {
  readonly parameters: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A worker process that runs. */
export interface StartedWorker {
  readonly frames: Socket;
  readonly signals: Socket;
  readonly pid: number;
  /** Ends it at once; does nothing where it has ended. */
  kill(): void;
}

/** What becomes of a start; an end may come without a start. */
export interface StartListener {
  readonly onStarted: (worker: StartedWorker) => void;
  /** The process has ended, or could not be started. */
  readonly onEnded: (reason: string) => void;
}

export interface WorkerStarter {
  start(command: WorkerCommand, listener: StartListener): void;
}

/** As much of a process's last words is kept for the log. */
const lastWordsLength = 600;

/** Runs a worker as a child of this process; tells once why it ended, with its last words. */
function spawnWorker({ parameters, environment }: WorkerCommand, onEnded: (reason: string) => void): ChildProcess {
  const worker = spawn(process.execPath, parameters, {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env: environment,
  });
  let lastWords = '';
  worker.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-lastWordsLength);
  });
  let told = false;
  const end = (reason: string): void => {
    if (!told) onEnded(reason);
    told = true;
  };
  worker.once('error', (error) => end(`it could not be started: ${error.message}`));
  worker.once('exit', (code, signal) => end(`it ended with ${signal ?? code}: ${lastWords}`.trim()));
  return worker;
}

/** Starts workers as children of this process, which stands still until each runs its program. */
export const startHere: WorkerStarter = {
  start(command, { onStarted, onEnded }) {
    const worker = spawnWorker(command, onEnded);
    if (worker.pid === undefined) return;
    onStarted({
      frames: socket(worker.stdio[frameDescriptor]),
      signals: socket(worker.stdio[signalDescriptor]),
      pid: worker.pid,
      kill: () => {
        worker.kill('SIGKILL');
      },
    });
  },
};

function socket(stream: ChildProcess['stdio'][number] | undefined): Socket {
  if (stream instanceof Socket) return stream;
  throw new Error('a worker process came without its pipes');
}
