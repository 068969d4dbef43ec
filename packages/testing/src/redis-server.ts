import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchOver, type Watcher } from './end-with-process';
import { freePort } from './free-port';
import { until } from './until';

/** A private Redis whose data outlives its process: for tests that take it away. */
export interface RedisServer {
  /** The same before and after a restart. */
  readonly url: string;
  /** Starts it again on the data it left. */
  start(): Promise<void>;
  /** Lets it write what it holds and leave. */
  stop(): Promise<void>;
  /** Takes it away without a chance to write (SIGKILL). */
  kill(): Promise<void>;
  restart(how?: 'stop' | 'kill'): Promise<void>;
  /** Holds it where it is: connections stay, nothing is answered. */
  hang(): void;
  goOn(): void;
  /** Stops it and removes its data. */
  close(): Promise<void>;
}

/** The same, of one process whose files a test may replace while it is stopped. */
export interface RedisProcessServer extends RedisServer {
  /** Where its data are. */
  readonly dir: string;
}

export interface RedisServerOptions {
  /** More command line arguments, such as `--appendfsync always`. */
  readonly args?: readonly string[];
  /** All arguments, for a server that keeps no data; called before every start. */
  readonly settings?: (port: number, dir: string) => readonly string[];
}

const HOST = '127.0.0.1';
const PORT_TRIES = 5;

/** Starts a `redis-server` of the PATH on a free port, with an append-only file in a directory of its own. */
export async function startRedisProcess(options: RedisServerOptions = {}): Promise<RedisProcessServer> {
  const dir = await mkdtemp(join(tmpdir(), 'pushfleet-redis-'));
  const watcher = watchOver(dir);
  for (let tries = 1; ; tries += 1) {
    const server = new RedisProcess({ dir, watcher, port: await freePort() }, options);
    try {
      await server.start();
      return server;
    } catch (error) {
      const wasTaken = error instanceof Error && error.message.includes('in use');
      if (wasTaken && tries < PORT_TRIES) continue;
      await server.kill();
      await rm(dir, { recursive: true, force: true });
      watcher.close();
      throw error;
    }
  }
}

interface Place {
  readonly dir: string;
  readonly port: number;
  /** Whoever leaves without closing the server leaves nothing of it. */
  readonly watcher: Watcher;
}

class RedisProcess implements RedisProcessServer {
  readonly dir: string;
  private readonly port: number;
  private readonly watcher: Watcher;
  private child: ChildProcess | undefined;
  private output = '';

  constructor(
    { dir, port, watcher }: Place,
    private readonly options: RedisServerOptions,
  ) {
    this.dir = dir;
    this.port = port;
    this.watcher = watcher;
  }

  get url(): string {
    return `redis://${HOST}:${this.port}`;
  }

  async start(): Promise<void> {
    const child = spawn('redis-server', [...this.settings()], {
      env: process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.output = '';
    let failure: Error | undefined;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => this.keep(String(chunk)));
    child.once('error', (error) => (failure = notStarted(error)));
    child.once('exit', () => (failure ??= new Error(`redis-server left at once:\n${this.output}`)));
    this.watcher.tell(child);
    this.child = child;
    await until(async () => failure !== undefined || (await answersPing(this.port)), { timeoutMs: 20_000 });
    if (failure) {
      this.child = undefined;
      throw failure;
    }
  }

  stop(): Promise<void> {
    return this.end('SIGTERM');
  }

  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  async restart(how: 'stop' | 'kill' = 'stop'): Promise<void> {
    await this[how]();
    await this.start();
  }

  hang(): void {
    this.child?.kill('SIGSTOP');
  }

  goOn(): void {
    this.child?.kill('SIGCONT');
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.dir, { recursive: true, force: true });
    this.watcher.close();
  }

  private settings(): readonly string[] {
    const { args = [], settings } = this.options;
    if (settings) return settings(this.port, this.dir);
    const persistence = ['--dir', this.dir, '--appendonly', 'yes', '--save', ''];
    return ['--bind', HOST, '--port', String(this.port), ...persistence, '--maxmemory-policy', 'noeviction', ...args];
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  private keep(text: string): void {
    this.output = (this.output + text).slice(-4000);
  }
}

function notStarted(error: NodeJS.ErrnoException): Error {
  if (error.code !== 'ENOENT') return error;
  return new Error(
    'These tests need a real Redis, and there is no redis-server on the PATH. Install Redis 7 or later ' +
      '(apt-get install redis-server, brew install redis), or name a running one in PUSHFLEET_TEST_REDIS_URL.',
  );
}

/** Whether a Redis there serves commands; while it loads its data it does not. */
function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, HOST, () => socket.write('PING\r\n'));
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('data', (data) => settle(data.toString().startsWith('+PONG')));
    socket.once('error', () => settle(false));
    socket.once('close', () => settle(false));
  });
}
