/**
 * A Spark standalone cluster: a master and two workers, JVMs of their own, on loopback; started and ended by the test.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { waitForOutput } from './wait-for-output.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

export interface Spark {
  readonly home: string;
  readonly python: string;
}

/** PySpark, which brings Spark with it: in the environment named by PYSPARK_VENV, or in artefacts/spark. */
export const spark: Spark | null = findSpark(process.env.PYSPARK_VENV ?? join(project, 'artefacts/spark'));

function findSpark(environment: string): Spark | null {
  const [home] = globSync(join(environment, 'lib/python3*/site-packages/pyspark'));
  const python = join(environment, 'bin/python');
  return home !== undefined && existsSync(python) ? { home, python } : null;
}

export class SparkCluster {
  readonly #spark: Spark;
  readonly #folder = mkdtempSync(join(tmpdir(), 'spark-'));
  readonly #daemons: ChildProcess[] = [];
  #master = '';

  constructor(found: Spark) {
    this.#spark = found;
  }

  /** Starts the master and then the workers, each in a process group of its own with the executors it starts. */
  async start(): Promise<void> {
    const master = this.#daemon('master.Master', ['--host', '127.0.0.1', '--port', '0', '--webui-port', '0']);
    this.#master = (await waitForOutput(master, /Starting Spark master at (spark:\/\/\S+)/))[1];
    for (const name of ['one', 'two']) {
      const work = join(this.#folder, name);
      const words = [
        '--host',
        '127.0.0.1',
        '--cores',
        '1',
        '--memory',
        '640m',
        '--work-dir',
        work,
        '--webui-port',
        '0',
      ];
      await waitForOutput(
        this.#daemon('worker.Worker', [...words, this.#master]),
        /Successfully registered with master/,
      );
    }
  }

  #daemon(name: string, words: readonly string[]): ChildProcess {
    const { home } = this.#spark;
    const command = join(home, 'bin/spark-class');
    const child = spawn(command, [`org.apache.spark.deploy.${name}`, ...words], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, SPARK_HOME: home, SPARK_DAEMON_MEMORY: '256m', SPARK_LOCAL_IP: '127.0.0.1' },
    });
    this.#daemons.push(child);
    return child;
  }

  /** A program that sends statements about a folder of Parquet partitions. */
  client(folder: string): SparkClient {
    return new SparkClient(this.#spark, this.#master, folder);
  }

  /** Ends a worker and its executors at once, as a machine that is lost does. */
  loseWorker(): void {
    kill(this.#daemons.at(-1));
  }

  stop(): void {
    for (const daemon of this.#daemons) kill(daemon);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function kill(daemon: ChildProcess | undefined): void {
  if (daemon?.pid === undefined) return;
  try {
    process.kill(-daemon.pid, 'SIGKILL');
  } catch {
    // it has ended already
  }
}

export interface Reply {
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
  readonly error?: string;
  readonly executors?: number;
  readonly running?: boolean;
}

export class SparkClient {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor({ home, python }: Spark, master: string, folder: string) {
    const program = join(dirname(fileURLToPath(import.meta.url)), 'spark_client.py');
    this.#child = spawn(python, [program, master, folder], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, SPARK_HOME: home, SPARK_LOCAL_IP: '127.0.0.1', PYSPARK_PYTHON: python },
    });
    const { stdout } = this.#child;
    if (stdout === null) throw new Error('no stdout');
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  /** What the program says next. */
  async nextReply(): Promise<Reply> {
    const { done, value } = await this.#lines.next();
    if (done) throw new Error('the Spark client has ended');
    const reply: unknown = JSON.parse(value);
    return Object(reply);
  }

  ask(statement: string, announce = false): void {
    this.#child.stdin?.write(`${JSON.stringify({ statement, announce })}\n`);
  }

  async rows(statement: string): Promise<NonNullable<Reply['rows']>> {
    this.ask(statement);
    const { rows, error } = await this.nextReply();
    if (rows === undefined) throw new Error(error);
    return rows;
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }
}
