import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { channels } from '@pushfleet/channels';
import { OWN_CHANNEL } from '@pushfleet/domain';
import { parse, parseAllDocuments } from 'yaml';
import { variablesIn } from './testing/env-file';

interface ChannelFacts {
  readonly name: string;
  readonly endpoints: Readonly<Record<string, string>>;
}
interface FleetFile {
  readonly path: string;
  readonly text: string;
}
interface FleetWriter {
  fleetFiles(fleet: object, read: (path: string) => string): readonly FleetFile[];
}

const ROOT = join(__dirname, '../../..');
const OVERLAYS = 'infra/kubernetes/overlays';
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const REGISTRY: readonly ChannelFacts[] = Object.values(channels);
/** A vendor that nobody has heard of yet. */
const NEWCOMER: ChannelFacts = { name: 'newcomer', endpoints: { NEWCOMER_PUSH_URL: 'https://push.newcomer.example' } };

async function written(vendors: readonly ChannelFacts[]): Promise<readonly FleetFile[]> {
  const { fleetFiles } = (await import(join(ROOT, 'scripts/fleet/fleet-files.cjs'))) as FleetWriter;
  return fleetFiles({ channels: vendors, own: OWN_CHANNEL }, read);
}

const productionOf = (vendors: readonly ChannelFacts[]): readonly string[] =>
  vendors.flatMap(({ endpoints }) => Object.values(endpoints));

/** Where a process with these variables calls the vendors, as its configuration reads them. */
const originsUnder = (variables: ReadonlyMap<string, string>, vendors: readonly ChannelFacts[]): readonly string[] =>
  vendors.flatMap(({ endpoints }) =>
    Object.entries(endpoints).map(([name, production]) => variables.get(name) || production),
  );

interface Overlay {
  readonly name: string;
  readonly variables: ReadonlyMap<string, string>;
  readonly hasSimulator: boolean;
  /** No policy of the network lets a process call a vendor. */
  readonly isShut: boolean;
}

interface Kustomization {
  readonly resources: readonly string[];
  readonly configMapGenerator: readonly { readonly envs: readonly string[] }[];
  readonly patches: readonly { readonly path: string }[];
}

interface Part {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly $patch?: string;
}

function overlayAt(name: string, files: readonly FleetFile[]): Overlay {
  const textOf = (file: string): string => {
    const path = `${OVERLAYS}/${name}/${file}`;
    return files.find((found) => found.path === path)?.text ?? read(path);
  };
  const partsIn = (paths: readonly string[]): readonly Part[] =>
    paths.flatMap((path) => parseAllDocuments(textOf(path)).map((document) => document.toJS() as Part));
  const { resources, configMapGenerator, patches } = parse(textOf('kustomization.yaml')) as Kustomization;
  const own = partsIn(resources.filter((path) => path.endsWith('.yaml')));
  const changed = partsIn(patches.map(({ path }) => path)).filter((part) => !Array.isArray(part));
  const settings = configMapGenerator.flatMap(({ envs }) => envs).flatMap((file) => [...variablesIn(textOf(file))]);
  return {
    name,
    variables: new Map(settings),
    hasSimulator: own.some(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'simulator'),
    isShut: changed.some(({ kind, metadata, $patch }) => {
      return kind === 'NetworkPolicy' && metadata.name === 'to-vendors' && $patch === 'delete';
    }),
  };
}

const overlayNames = readdirSync(join(ROOT, OVERLAYS));

test('the files that name channels and origins are what the registry says', async () => {
  for (const { path, text } of await written(REGISTRY)) expect([path, read(path)]).toEqual([path, text]);
});

test('a vendor that is new to the registry is in every one of them', async () => {
  const files = await written([...REGISTRY, NEWCOMER]);
  for (const { path, text } of files)
    expect([path, /NEWCOMER_PUSH_URL|worker-newcomer/.test(text)]).toEqual([path, true]);
  const compose = files.find(({ path }) => path === 'docker-compose.yml')?.text ?? '';
  const { services } = parse(compose, { merge: true, maxAliasCount: -1 }) as { services: Record<string, object> };
  expect(services['worker-newcomer']).toMatchObject({
    environment: { CHANNEL: 'newcomer', NEWCOMER_PUSH_URL: '${NEWCOMER_PUSH_URL:-}' },
  });
});

test('a file that has lost its marks is named, not passed over', async () => {
  const { fleetFiles } = (await import(join(ROOT, 'scripts/fleet/fleet-files.cjs'))) as FleetWriter;
  expect(() => fleetFiles({ channels: REGISTRY, own: OWN_CHANNEL }, () => 'services: {}')).toThrow('lost its marks');
});

describe.each([
  ['the registry', REGISTRY],
  ['a registry with a new vendor', [...REGISTRY, NEWCOMER]],
] as const)('with %s', (_, vendors) => {
  test('no overlay with a simulator can reach a real vendor', async () => {
    const files = await written(vendors);
    const simulated = overlayNames.map((name) => overlayAt(name, files)).filter(({ hasSimulator }) => hasSimulator);
    expect(simulated.map(({ name }) => name)).toEqual(['development']);
    for (const { variables, isShut } of simulated) {
      expect(originsUnder(variables, vendors).filter((origin) => productionOf(vendors).includes(origin))).toEqual([]);
      expect(new Set(originsUnder(variables, vendors))).toEqual(new Set(['http://simulator:8090']));
      expect(isShut).toBe(true);
    }
  });

  test('compose with its simulator.env cannot either', async () => {
    const files = await written(vendors);
    const env = files.find(({ path }) => path === 'infra/docker/simulator.env')?.text ?? '';
    expect(new Set(originsUnder(variablesIn(env), vendors))).toEqual(new Set(['http://simulator:8090']));
  });
});

test('an overlay for production does reach them', async () => {
  const { hasSimulator, isShut, variables } = overlayAt('production', await written(REGISTRY));
  expect({ hasSimulator, isShut }).toEqual({ hasSimulator: false, isShut: false });
  expect(originsUnder(variables, REGISTRY)).toEqual(productionOf(REGISTRY));
});
