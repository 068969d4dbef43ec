import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { channelNames } from '@pushfleet/channels';
import { OWN_CHANNEL } from '@pushfleet/domain';
import { describeConfig, type ConfigVariable } from '@pushfleet/service-kit';
import { parse, parseAllDocuments } from 'yaml';
import { compileComplaints } from './testing/compile';
import { variablesIn } from './testing/env-file';
import { manifestComplaint, manifestModule, type Manifest } from './testing/public-schemas';

type Schema = Parameters<typeof describeConfig>[0];
type ManifestWriter = {
  manifestFiles(fleet: object): readonly { readonly path: string; readonly text: string }[];
};

const ROOT = join(__dirname, '../../..');
const FOLDER = join(ROOT, 'infra/kubernetes');
const OVERLAYS = ['development', 'production'] as const;
const read = (path: string): string => readFileSync(join(FOLDER, path), 'utf8');
const yamlIn = (folder: string): readonly string[] =>
  readdirSync(join(FOLDER, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml'))
    .map((path) => join(folder, path));

const documents = (text: string): readonly unknown[] => parseAllDocuments(text).map((document) => document.toJS());
const files = yamlIn('.');
const kustomizations = files.filter((path) => path.endsWith('kustomization.yaml'));
/** Parts of objects, to be laid over whole ones. */
const patches = kustomizations.flatMap((path) =>
  ((parse(read(path)) as { patches?: readonly { path: string }[] }).patches ?? []).map((patch) =>
    join(path, '..', patch.path),
  ),
);
const manifests = files
  .filter((path) => !kustomizations.includes(path) && !patches.includes(path))
  .flatMap((path) => documents(read(path)) as readonly Manifest[]);

const schemaOf = async (app: string): Promise<Schema> =>
  ((await import(join(ROOT, 'apps', app, 'src/config'))) as { configSchema: Schema }).configSchema;
const appNames = readdirSync(join(ROOT, 'apps')).filter((app) => existsSync(join(ROOT, 'apps', app, 'src/config.ts')));
const fleet = async () => ({
  apps: await Promise.all(appNames.map(async (app) => ({ app, variables: describeConfig(await schemaOf(app)) }))),
  vendors: channelNames,
  own: OWN_CHANNEL,
});

interface EnvVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly key: string } };
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: object;
  readonly containers: readonly {
    readonly name: string;
    readonly image: string;
    readonly env: readonly EnvVariable[];
    readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
    readonly livenessProbe: Probe;
    readonly readinessProbe: Probe;
    readonly resources: { readonly requests: object; readonly limits: { readonly memory: string } };
    readonly securityContext: object;
  }[];
}

const podOf = ({ spec }: Manifest): Pod => (spec as { template: { spec: Pod } }).template.spec;
const deployments = manifests
  .filter(({ kind }) => kind === 'Deployment')
  .map((manifest) => {
    const pod = podOf(manifest);
    const [container] = pod.containers;
    if (!container) throw new Error(`${manifest.metadata.name} has no container`);
    return { name: manifest.metadata.name, app: container.name, manifest, pod, container };
  });
const channelsServed = deployments.flatMap(({ container: { env } }) =>
  env.filter(({ name }) => name === 'CHANNEL').map(({ value }) => value),
);

const secondsOf = (variables: readonly ConfigVariable[], name: string): number =>
  Number(variables.find((variable) => variable.name === name)?.default) / 1000;

describe('infra/kubernetes', () => {
  test('is what the registry and the schemas say', async () => {
    const { manifestFiles } = (await import(join(ROOT, 'scripts/kubernetes/manifests.cjs'))) as ManifestWriter;
    const written = manifestFiles(await fleet());
    for (const { path, text } of written) expect([path, read(path)]).toEqual([path, text]);
    const generated = [...yamlIn('base'), ...yamlIn('autoscaling')].sort();
    expect(generated).toEqual(written.map(({ path }) => path).sort());
  });

  test('holds what the schemas of its kinds allow', () => {
    expect(manifests.map(manifestComplaint).filter((complaint) => complaint !== undefined)).toEqual([]);
  });

  test('holds no field that its kinds do not know', () => {
    expect(compileComplaints(manifestModule(manifests))).toEqual([]);
  });

  test('is checked by something that does find faults', () => {
    const [{ manifest } = { manifest: undefined }] = deployments;
    const misspelt = { ...manifest, spec: { ...manifest?.spec, revisionHistroyLimit: 3 } } as Manifest;
    expect(compileComplaints(manifestModule([misspelt])).join()).toContain('revisionHistroyLimit');
    expect(manifestComplaint({ ...manifest, spec: { replicas: 'three' } } as unknown as Manifest)).toContain(
      'replicas',
    );
  });

  test('runs every app of the fleet and a worker for every channel', () => {
    // A worker stands for each channel below, and `fleet` has in one process what stands apart here.
    const elsewhere = new Set(['cli', 'channel-worker', 'simulator', 'fleet']);
    const services = appNames.filter((app) => !elsewhere.has(app));
    expect(deployments.map(({ name }) => name).sort()).toEqual(
      [...services, 'simulator', ...[...channelNames, OWN_CHANNEL].map((channel) => `worker-${channel}`)].sort(),
    );
    expect(channelsServed.sort()).toEqual([...channelNames, OWN_CHANNEL].sort());
  });
});

describe.each(deployments)('$name', ({ name, app, pod, container }) => {
  test('is given only what it reads, and everything that it needs', async () => {
    const variables = describeConfig(await schemaOf(app));
    const known = new Set(variables.map((variable) => variable.name));
    const given = container.env.map((variable) => variable.name);
    expect(given.filter((variable) => !known.has(variable))).toEqual([]);
    const missing = variables.filter((variable) => variable.required && !given.includes(variable.name));
    expect(missing).toEqual([]);
  });

  test('has its secrets from the secret and nowhere else', async () => {
    const secrets = describeConfig(await schemaOf(app)).filter(({ secret }) => secret);
    for (const { name: secret } of secrets) {
      const found = container.env.find((variable) => variable.name === secret);
      expect(found?.valueFrom?.secretKeyRef.key).toBe(secret);
    }
  });

  test('is probed, and may not do what it does not do', () => {
    expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'metrics' });
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'metrics' });
    expect(container.ports).toContainEqual({ name: 'metrics', containerPort: 9100 });
    expect(container.env).toContainEqual({ name: 'METRICS_PORT', value: '9100' });
    expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.resources).toMatchObject({ requests: {}, limits: { memory: expect.any(String) } });
  });

  test('is given more time to leave than its slowest work takes', async () => {
    const variables = describeConfig(await schemaOf(app));
    const [drain, vendor] = [secondsOf(variables, 'DRAIN_MS'), secondsOf(variables, 'VENDOR_TIMEOUT_MS')];
    // A service leaves by itself 30 s after the signal, or 15 s after a drain of its own.
    const needed = Math.max(30, (drain || 0) + 15, vendor || 0);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(needed);
  });

  test('loses one pod at a time to the maintenance of nodes', () => {
    if (name === 'simulator') return;
    const budget = manifests.find(({ kind, metadata }) => kind === 'PodDisruptionBudget' && metadata.name === name);
    expect(budget?.spec).toMatchObject({ maxUnavailable: 1 });
  });
});

test('names are looked up in the cluster and in the cache of the node, and nowhere else', () => {
  const policy = manifests.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'to-dns');
  const { egress } = policy?.spec as {
    egress: readonly { to: readonly object[]; ports: readonly { port: number }[] }[];
  };
  expect(egress).toHaveLength(1);
  expect(egress[0]?.to).toEqual([
    expect.objectContaining({ podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }),
    { ipBlock: { cidr: '169.254.20.10/32' } },
  ]);
  expect(egress[0]?.ports.map(({ port }) => port)).toEqual([53, 53]);
});

describe('autoscaling', () => {
  const scaled = manifests.filter(({ kind }) => kind === 'ScaledObject');
  interface Trigger {
    readonly metadata: { readonly query: string };
  }

  test.each([...channelNames, OWN_CHANNEL])('%s by the age of its oldest push, direct and bulk apart', (channel) => {
    const found = scaled.find(({ metadata }) => metadata.name === `worker-${channel}`);
    const { triggers, scaleTargetRef } = found?.spec as {
      triggers: readonly Trigger[];
      scaleTargetRef: { name: string };
    };
    expect(scaleTargetRef.name).toBe(`worker-${channel}`);
    const queues = triggers.map(({ metadata }) => /queue="([^"]+)"/.exec(metadata.query)?.[1]);
    expect(queues).toEqual([`channel-${channel}`, `channel-${channel}-bulk`]);
  });

  test('asks for metrics that exist', () => {
    const page = readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8');
    const names = scaled.flatMap(({ spec }) =>
      (spec as { triggers: readonly Trigger[] }).triggers.map(
        ({ metadata }) => /pushfleet_\w+/.exec(metadata.query)?.[0],
      ),
    );
    for (const name of new Set(names)) expect(page).toContain(`\`${name}\``);
  });
});

interface Kustomization {
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly configMapGenerator?: readonly { readonly envs: readonly string[] }[];
  readonly patches?: readonly { readonly path: string }[];
  readonly images?: readonly { readonly name: string }[];
}

/** Of all that kustomize knows, what is used here. */
const KUSTOMIZATION_FIELDS = new Set([
  ...['apiVersion', 'kind', 'namespace', 'labels', 'resources', 'components'],
  ...['configMapGenerator', 'patches', 'replicas', 'images'],
]);

const kustomizationAt = (path: string): Kustomization => parse(read(path)) as Kustomization;

describe.each(kustomizations)('%s', (path) => {
  const kustomization = kustomizationAt(path);

  test('has the fields of its kind only', () => {
    expect(Object.keys(kustomization).filter((field) => !KUSTOMIZATION_FIELDS.has(field))).toEqual([]);
  });

  test('names files that exist', () => {
    const named = [
      ...(kustomization.resources ?? []),
      ...(kustomization.components ?? []),
      ...(kustomization.patches ?? []).map((patch) => patch.path),
      ...(kustomization.configMapGenerator ?? []).flatMap(({ envs }) => envs),
    ];
    expect(named.filter((name) => !existsSync(join(FOLDER, path, '..', name)))).toEqual([]);
  });
});

const settingsOf = (overlay: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (kustomizationAt(`overlays/${overlay}/kustomization.yaml`).configMapGenerator ?? [])
      .flatMap(({ envs }) => envs)
      .flatMap((name) => [...variablesIn(read(`overlays/${overlay}/${name}`))]),
  );

const SECRETS: Readonly<Record<string, string>> = {
  SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  ADMIN_TOKEN: 'admin-token',
  REDIS_URL: 'redis://redis:6379',
};

describe.each(OVERLAYS)('overlay %s', (overlay) => {
  test('sets nothing that no app reads', async () => {
    const known = new Set((await fleet()).apps.flatMap(({ variables }) => variables.map(({ name }) => name)));
    expect(Object.keys(settingsOf(overlay)).filter((name) => !known.has(name))).toEqual([]);
  });

  test.each(deployments)('gives $name a configuration that it accepts', async ({ app, container }) => {
    const own = container.env.flatMap(({ name, value = SECRETS[name] }) =>
      value === undefined ? [] : [[name, value]],
    );
    const parsed = (await schemaOf(app)).safeParse({ ...settingsOf(overlay), ...Object.fromEntries(own) });
    expect(parsed.error?.issues ?? []).toEqual([]);
  });

  test('names an image for every Deployment', () => {
    const { images = [] } = kustomizationAt(`overlays/${overlay}/kustomization.yaml`);
    const used = deployments.filter(({ name }) => overlay === 'development' || name !== 'simulator');
    expect(images.map(({ name }) => name).sort()).toEqual(
      [...new Set(used.map(({ container }) => container.image))].sort(),
    );
  });

  test('is rendered by kustomize, where there is one, to what the schemas allow', () => {
    const { stdout, stderr, status, error } = spawnSync('kubectl', ['kustomize', join(FOLDER, 'overlays', overlay)], {
      encoding: 'utf8',
    });
    if (error) return expect((error as NodeJS.ErrnoException).code).toBe('ENOENT');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const rendered = documents(stdout) as readonly Manifest[];
    expect(rendered.map(manifestComplaint).filter((complaint) => complaint !== undefined)).toEqual([]);
    expect(compileComplaints(manifestModule(rendered))).toEqual([]);
    const unscoped = rendered.filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace === undefined);
    expect(unscoped).toEqual([]);
  });
});
