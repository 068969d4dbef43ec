import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, until, watchOver, type Watcher } from '@pushfleet/testing';
import { parse, stringify } from 'yaml';
import { hasten, type RuleFile } from './hasten-rules';

export interface ScrapedProcess {
  readonly name: string;
  /** Of its metrics port. */
  readonly url: string;
}

export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [time: number, value: string];
}

export interface Alert {
  readonly state: 'pending' | 'firing';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A series that had one value all the while. */
export interface Past {
  readonly name: string;
  /** As an expression has them. */
  readonly labels: string;
  readonly value: number;
}

interface ScrapeConfig {
  readonly job_name: string;
  readonly dns_sd_configs?: unknown;
  readonly relabel_configs?: unknown;
}

const ROOT = join(__dirname, '../../../..');
const INFRA = join(ROOT, 'infra/prometheus');
const RULES = ['recording.yml', 'alerts.yml'];
const EVERY = '1s';

/** A real Prometheus of the PATH with the configuration and the rules of the repository, in a hurry. */
export class PrometheusServer {
  private output = '';
  /** Whoever leaves without closing it leaves nothing of it. */
  private readonly watcher: Watcher;

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    private readonly dir: string,
  ) {
    this.watcher = watchOver(dir);
    this.watcher.tell(child);
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => (this.output = (this.output + String(chunk)).slice(-4000)));
  }

  static async start(processes: readonly ScrapedProcess[], yesterday: readonly Past[] = []): Promise<PrometheusServer> {
    const dir = await mkdtemp(join(tmpdir(), 'pushfleet-prometheus-'));
    if (yesterday.length > 0) await writePast(dir, yesterday);
    await writeTargets(dir, processes);
    await writeConfiguration(dir);
    const address = `127.0.0.1:${await freePort()}`;
    const child = spawn(
      'prometheus',
      [
        `--config.file=${join(dir, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(dir, 'data')}`,
        `--web.listen-address=${address}`,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let failure: Error | undefined;
    child.once('error', (error) => (failure = notStarted(error)));
    const server = new PrometheusServer(child, `http://${address}`, dir);
    child.once('exit', () => (failure ??= new Error(`prometheus left at once:\n${server.output}`)));
    await until(async () => failure !== undefined || (await fetch(`${server.url}/-/ready`)).ok);
    if (failure) {
      await server.remove();
      throw failure;
    }
    return server;
  }

  /** From now on these are scraped, and no other. */
  scrape(processes: readonly ScrapedProcess[]): Promise<void> {
    return writeTargets(this.dir, processes);
  }

  async query(expression: string): Promise<readonly Sample[]> {
    const { result } = await this.get<{ result: readonly Sample[] }>(`query?query=${encodeURIComponent(expression)}`);
    return result;
  }

  async alerts(): Promise<readonly Alert[]> {
    return (await this.get<{ alerts: readonly Alert[] }>('alerts')).alerts;
  }

  /** Health by the name of the process. */
  async targets(): Promise<Readonly<Record<string, string>>> {
    const { activeTargets } = await this.get<{
      activeTargets: readonly { health: string; labels: Record<string, string> }[];
    }>('targets');
    return Object.fromEntries(activeTargets.map(({ health, labels }) => [labels['compose_service'], health]));
  }

  async close(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const gone = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await gone;
    }
    await this.remove();
  }

  private async remove(): Promise<void> {
    await rm(this.dir, { recursive: true, force: true });
    this.watcher.close();
  }

  private async get<T>(path: string): Promise<T> {
    const answer = await fetch(`${this.url}/api/v1/${path}`);
    const { status, data, error } = (await answer.json()) as { status: string; data: T; error?: string };
    if (status !== 'success') throw new Error(`${path}: ${error}`);
    return data;
  }
}

const DAY_SECONDS = 86_400;
/** Of what is written of the day before, and how often there is a sample. */
const PAST = { before: 600, after: 1800, every: 60 };

/** What the day before was, for rules that compare with it: blocks of Prometheus's own tool. */
async function writePast(dir: string, series: readonly Past[]): Promise<void> {
  const at = Math.floor(Date.now() / 1000) - DAY_SECONDS;
  const count = (PAST.before + PAST.after) / PAST.every;
  const times = Array.from({ length: count }, (_, n) => at - PAST.before + n * PAST.every);
  const lines = series.flatMap(({ name, labels, value }) => [
    `# TYPE ${name} gauge`,
    ...times.map((time) => `${name}{${labels}} ${value} ${time}`),
  ]);
  const file = join(dir, 'yesterday.om');
  await writeFile(file, `${[...lines, '# EOF'].join('\n')}\n`);
  await promisify(execFile)('promtool', ['tsdb', 'create-blocks-from', 'openmetrics', file, join(dir, 'data')]);
}

const TARGETS = 'targets.json';

/** At once for who reads it. */
async function writeTargets(dir: string, processes: readonly ScrapedProcess[]): Promise<void> {
  const groups = processes.map(({ name, url }) => ({
    targets: [new URL(url).host],
    labels: { compose_service: name },
  }));
  await writeFile(join(dir, 'next.json'), JSON.stringify(groups));
  await rename(join(dir, 'next.json'), join(dir, TARGETS));
}

/** The repository's own files, but for how processes are found and how long anything takes. */
async function writeConfiguration(dir: string): Promise<void> {
  const config = parse(await readFile(join(INFRA, 'prometheus.yml'), 'utf8')) as {
    scrape_configs: readonly ScrapeConfig[];
  };
  const file_sd_configs = [{ files: [TARGETS], refresh_interval: EVERY }];
  const scrape_configs = config.scrape_configs.map(({ job_name }) => ({ job_name, file_sd_configs }));
  const global = { scrape_interval: EVERY, scrape_timeout: EVERY, evaluation_interval: EVERY };
  await writeFile(join(dir, 'prometheus.yml'), stringify({ ...config, global, scrape_configs }));
  await mkdir(join(dir, 'rules'));
  for (const file of RULES) {
    const rules = parse(await readFile(join(INFRA, 'rules', file), 'utf8')) as RuleFile;
    await writeFile(join(dir, 'rules', file), stringify(hasten(rules)));
  }
}

export function notStarted(error: NodeJS.ErrnoException): Error {
  if (error.code !== 'ENOENT') return error;
  return new Error(
    'These tests need a real Prometheus, and there is no prometheus with promtool on the PATH. Install it ' +
      '(apt-get install prometheus, brew install prometheus).',
  );
}
