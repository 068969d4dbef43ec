import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { channelNames, channels } from '@pushfleet/channels';
import { OWN_CHANNEL } from '@pushfleet/domain';
import { describeConfig, loadConfig } from '@pushfleet/service-kit';
import { parse } from 'yaml';
import { variablesIn } from './testing/env-file';
import { composeComplaints } from './testing/public-schemas';

type Schema = Parameters<typeof describeConfig>[0];

const ROOT = join(__dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface ComposeService {
  readonly image?: string;
  readonly profiles?: readonly string[];
  readonly scale?: number;
  readonly build?: { readonly args: { readonly APP: string } };
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly container_name?: string;
  readonly stop_grace_period?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly aliases?: readonly string[] } | null>>;
  readonly secrets?: readonly string[];
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly healthcheck?: unknown;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

interface AppService extends ComposeService {
  readonly name: string;
  readonly app: string;
  readonly environment: Readonly<Record<string, string>>;
}

const SMALL = 'fleet';
/** Not processes of a fleet of many; `fleet` is the one that has their roles in one process. */
const NO_SERVICE = new Set(['cli', 'e2e', 'bench', SMALL]);
/** Everything that may be reached from other machines. */
const PUBLIC_APPS = new Set(['ingress', 'user-info', 'gateway']);

const text = read('docker-compose.yml');
const { services, secrets } = parse(text, { merge: true, maxAliasCount: -1 }) as {
  services: Readonly<Record<string, ComposeService>>;
  secrets: Readonly<Record<string, { readonly file: string }>>;
};
const appServices: readonly AppService[] = Object.entries(services).flatMap(([name, service]) =>
  service.build ? [{ environment: {}, ...service, name, app: service.build.args.APP }] : [],
);
const processes = appServices.filter(({ app }) => !NO_SERVICE.has(app));
/** The same, and the one process of a small server. */
const containers = appServices.filter(({ app }) => app === SMALL || !NO_SERVICE.has(app));
const apps = readdirSync(join(ROOT, 'apps')).filter((app) => existsSync(join(ROOT, 'apps', app, 'src/main.ts')));

const schemaOf = async (app: string): Promise<Schema> =>
  ((await import(join(ROOT, 'apps', app, 'src/config'))) as { configSchema: Schema }).configSchema;

/** Of the process: what runs all roles reads what each of them reads, and says itself which channels there are. */
async function schemasOf(app: string): Promise<readonly Schema[]> {
  const roles = app === SMALL ? apps.filter((role) => existsSync(join(ROOT, 'apps', role, 'src/role.ts'))) : [];
  return Promise.all([app, ...roles].map(schemaOf));
}

async function variablesOf(app: string): Promise<ReturnType<typeof describeConfig>> {
  const all = (await schemasOf(app)).flatMap((schema) => describeConfig(schema));
  return all.filter(({ name }, i) => all.findIndex((first) => first.name === name) === i);
}

const networksOf = ({ networks = [] }: ComposeService): readonly string[] =>
  Array.isArray(networks) ? (networks as readonly string[]) : Object.keys(networks);

function expectToServe(service: ComposeService | undefined, port: string, networks: readonly string[]): void {
  expect(networksOf(service ?? {})).toEqual(expect.arrayContaining([...networks]));
  expect(Object.entries(service?.environment ?? {})).toContainEqual([expect.stringMatching(/_PORT$/), port]);
}

const VARIABLE = /\$\{(\w+)(?::-([^}]*))?\}/g;
/** Where a container finds its secrets. */
const IN_CONTAINER = '/run/secrets/';

/** What compose would hand to the process of a service, with its secrets in that folder. */
function interpolate(environment: AppService['environment'], folder: string): Record<string, string> {
  const resolve = (value: string): string =>
    value.replaceAll(VARIABLE, (_, _name: string, fallback = '') => fallback).replace(IN_CONTAINER, `${folder}/`);
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, resolve(String(value))]));
}

const SECRETS = {
  secret_key: Buffer.alloc(32, 1).toString('base64'),
  secret_key_previous: '',
  admin_token: 'admin-token',
  console_oidc_client_secret: '',
  redis_password: 'word',
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pushfleet-compose-'));
  for (const [name, value] of Object.entries(SECRETS)) writeFileSync(join(folder, name), `${value}\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const MILLISECONDS = { s: 1000, m: 60_000 } as const;
const durationMs = (text: string): number =>
  Number(text.slice(0, -1)) * MILLISECONDS[text.slice(-1) as keyof typeof MILLISECONDS];

/** The whole file as compose would read it. */
const filledIn = (): Readonly<Record<string, unknown>> => {
  const resolved = text.replaceAll(VARIABLE, (_, _name: string, fallback = '') => fallback);
  return parse(resolved, { merge: true, maxAliasCount: -1 }) as Record<string, unknown>;
};

/** A tag may mean another image tomorrow; a digest may not. */
const PINNED = /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;

test('every image of others is named by its digest', () => {
  const [, node] = /^ARG NODE=(.+)$/m.exec(read('infra/docker/Dockerfile')) ?? [];
  const bases = [...read('infra/docker/Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  expect(new Set(bases)).toEqual(new Set(['${NODE}']));
  const named = Object.values(services).flatMap(({ image, build }) => (build === undefined && image ? [image] : []));
  const [development] =
    /image: (redis:\S+)/.exec(read('infra/kubernetes/overlays/development/redis.yaml'))?.slice(1) ?? [];
  expect(named.length).toBeGreaterThan(2);
  for (const image of [node, development, ...named]) expect(image).toMatch(PINNED);
  expect(named).toContain(development);
});

describe('docker-compose.yml', () => {
  test('builds the command line with everything else, runs none of it, and lets it reach what it asks', () => {
    const { cli } = services;
    expect([cli?.scale, cli?.profiles]).toEqual([0, undefined]);
    const asked = Object.entries(cli?.environment ?? {}).flatMap(([name, value]) =>
      name.endsWith('_URL') ? [new URL(value)] : [],
    );
    expect(asked.map(({ hostname }) => hostname).sort()).toEqual(['console', 'gateway', 'ingress']);
    for (const { hostname, port } of asked) {
      for (const service of [services[hostname], services[SMALL]]) expectToServe(service, port, networksOf(cli ?? {}));
      expect(services[SMALL]?.networks).toMatchObject({ outside: { aliases: expect.arrayContaining([hostname]) } });
    }
  });

  test('is what the Compose Specification allows', () => {
    expect(composeComplaints(filledIn())).toEqual([]);
    expect(composeComplaints({ services: { redis: { imgae: 'redis' } } })).not.toEqual([]);
  });

  test('gives every process more time to leave than its slowest work takes', () => {
    const { services: resolved } = filledIn() as { services: Readonly<Record<string, ComposeService>> };
    for (const { name, app } of containers) {
      const service = resolved[name];
      const drainMs = durationMs(service?.environment?.['DRAIN_MS'] ?? '0s');
      const graceMs = durationMs(service?.stop_grace_period ?? '0s');
      expect([app, graceMs > Math.max(30_000, drainMs + 15_000)]).toEqual([app, true]);
    }
  });

  test('lets no process write to its image or have rights of the system', () => {
    for (const service of containers) {
      expect([service.name, service.read_only, service.cap_drop]).toEqual([service.name, true, ['ALL']]);
    }
  });

  test('gives SECRET_KEY only to those that open what is sealed', () => {
    const holders = processes.filter(({ secrets: given = [] }) => given.includes('secret_key'));
    const expected = ['channel-worker', 'console', 'ingress', 'user-info'];
    expect([...new Set(holders.map(({ app }) => app))].sort()).toEqual(expected);
  });

  test('hands over every secret as a file that the service has, and names none in what is shown of a container', async () => {
    expect(Object.keys(secrets).sort()).toEqual(Object.keys(SECRETS).sort());
    for (const [name, { file }] of Object.entries(secrets)) expect(file).toBe(`\${SECRETS_DIR:-./secrets}/${name}`);
    for (const { name, app, environment, secrets: given = [] } of appServices) {
      const secret = (await variablesOf(app)).filter((variable) => variable.secret);
      const files = secret.flatMap((variable) => environment[`${variable.name}_FILE`] ?? []);
      expect([name, files.sort()]).toEqual([name, given.map((one) => IN_CONTAINER + one).sort()]);
      const plain = secret.filter((variable) => environment[variable.name] !== undefined);
      expect([name, plain.filter((variable) => variable.name !== 'REDIS_URL')]).toEqual([name, []]);
      expect([name, new URL(environment['REDIS_URL'] ?? 'redis://redis').password]).toEqual([name, '']);
    }
  });

  test('bounds what a container may take', () => {
    for (const [name, { mem_limit: memory, pids_limit: pids }] of Object.entries(services)) {
      expect([name, memory]).toEqual([name, expect.stringMatching(/\d[mg]b/)]);
      expect([name, pids === undefined]).toEqual([name, name === 'cli']);
    }
  });

  test('lets none but processes with a store reach Redis, which asks for a password', () => {
    const { networks } = filledIn() as { networks: Readonly<Record<string, { readonly internal?: boolean } | null>> };
    expect(networks['data']?.internal).toBe(true);
    const inside = Object.entries(services).filter(
      ([, service]) => service.networks === undefined || networksOf(service).includes('data'),
    );
    const expected = containers.filter(({ environment }) => environment['REDIS_URL'] !== undefined);
    expect(inside.map(([name]) => name).sort()).toEqual(['redis', ...expected.map(({ name }) => name)].sort());
    for (const service of [services['redis'], ...expected]) expect(service?.secrets).toContain('redis_password');
    expect(services['grafana']?.networks).toEqual(['dashboards']);
  });

  test('runs every app', () => {
    const expected = apps.filter((app) => !NO_SERVICE.has(app)).sort();
    expect([...new Set(processes.map(({ app }) => app))].sort()).toEqual(expected);
  });

  test('runs all roles of a small server in one container, which nothing else starts', () => {
    const { [SMALL]: small } = services;
    expect(small?.profiles).toEqual(['small']);
    expect(Object.keys(small?.depends_on ?? {})).toEqual(['redis']);
    const others = Object.entries(services).filter(([, { depends_on: after = {} }]) => SMALL in after);
    expect(others).toEqual([]);
    // What the many are told, and more than one of them, the one is told, too.
    const told = processes
      .filter(({ app }) => app !== 'simulator')
      .flatMap(({ environment }) => Object.entries(environment));
    const own = ['CHANNEL', 'DRAIN_MS', 'INGRESS_URL'];
    for (const [name, value] of told) if (!own.includes(name)) expect(small?.environment?.[name]).toEqual(value);
  });

  test('has one worker service for every channel, named after it', () => {
    const workers = appServices.filter(({ app }) => app === 'channel-worker');
    const found = workers.map(({ name, environment }) => [name, environment['CHANNEL']]);
    expect(found.sort()).toEqual([...channelNames, OWN_CHANNEL].map((name) => [`worker-${name}`, name]).sort());
  });

  test('lets every worker and the console be pointed at other vendors', () => {
    const callers = appServices.filter(({ app }) => ['channel-worker', 'console', SMALL].includes(app));
    const origins = Object.values(channels).flatMap(({ endpoints }) => Object.keys(endpoints));
    for (const { name, environment } of callers) {
      expect([name, origins.filter((origin) => environment[origin] === undefined)]).toEqual([name, []]);
    }
  });

  test.each(appServices)('sets for $name only what it reads, and everything that it needs', async (service) => {
    const variables = await variablesOf(service.app);
    const names = new Set(variables.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name])));
    expect(Object.keys(service.environment).filter((name) => !names.has(name))).toEqual([]);
    const needed = variables.filter(({ required }) => required).map(({ name }) => name);
    const isSet = (name: string): boolean => service.environment[name] !== undefined;
    expect(needed.filter((name) => !isSet(name) && !isSet(`${name}_FILE`))).toEqual([]);
  });

  test.each(appServices)('gives $name a configuration that it accepts', async ({ app, environment }) => {
    const given = interpolate(environment, folder);
    for (const schema of await schemasOf(app)) {
      const config = loadConfig(schema, app === SMALL ? { CHANNEL: OWN_CHANNEL, ...given } : given);
      expect(config).toEqual(expect.any(Object));
      expect(config['SECRET_KEY_PREVIOUS']).toBeUndefined();
    }
  });

  test('probes every process, which starts when Redis is there', () => {
    for (const { name, environment, healthcheck, depends_on: after } of containers) {
      expect([name, environment['METRICS_PORT'], environment['BIND_ADDRESS']]).toEqual([name, '9100', '0.0.0.0']);
      expect(JSON.stringify(healthcheck)).toContain('METRICS_PORT');
      if (environment['REDIS_URL'] !== undefined) expect(after?.['redis']?.condition).toBe('service_healthy');
    }
  });

  test('lets everything be scaled that has no public port', () => {
    for (const [name, { container_name: fixed, ports = [] }] of Object.entries(services)) {
      expect([name, fixed]).toEqual([name, undefined]);
      if (name.startsWith('worker-') || name === 'dispatcher') expect([name, ports]).toEqual([name, []]);
    }
  });

  test('publishes nothing beyond this machine but the public apps', () => {
    const open = Object.entries(services).flatMap(([name, { ports = [] }]) =>
      ports.some((port) => !port.startsWith('127.0.0.1:')) ? [name] : [],
    );
    expect(open.filter((name) => !PUBLIC_APPS.has(name))).toEqual([SMALL]);
    const published = (name: string): readonly string[] => services[name]?.ports ?? [];
    expect([...published(SMALL)].sort()).toEqual([...PUBLIC_APPS, 'console'].flatMap(published).sort());
  });

  test('keeps what Redis has accepted', () => {
    const { command } = services['redis'] as { command: readonly string[] };
    expect(command.join(' ')).toContain('--appendonly yes');
    expect(command.join(' ')).toContain('--maxmemory-policy noeviction');
    expect(command[command.indexOf('--maxmemory') + 1]).toMatch(/^\$\{REDIS_MAXMEMORY:-[1-9]/);
  });
});

describe('.env.example', () => {
  test('lists exactly the variables that docker-compose.yml reads', () => {
    const used = new Set([...text.matchAll(VARIABLE)].map(([, name]) => name));
    expect([...variablesIn(read('.env.example')).keys()].sort()).toEqual([...used].sort());
  });

  test('ships no secret', () => {
    const names = [...variablesIn(read('.env.example')).keys()];
    expect(names.filter((name) => /KEY|TOKEN|PASSWORD/.test(name))).toEqual([]);
  });
});

test('Prometheus scrapes every process on its metrics port', () => {
  const { scrape_configs: jobs } = parse(read('infra/prometheus/prometheus.yml')) as {
    scrape_configs: readonly { dns_sd_configs: readonly { names: readonly string[]; port: number }[] }[];
  };
  const targets = jobs.flatMap(({ dns_sd_configs: found }) =>
    found.flatMap(({ names, port }) => names.map((name) => [name, String(port)])),
  );
  const expected = containers.map(({ name, environment }) => [name, environment['METRICS_PORT']]);
  expect(targets.sort()).toEqual(expected.sort());
});
