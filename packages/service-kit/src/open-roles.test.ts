import { openCloseStack } from './close-stack';
import { ConfigError } from './config-error';
import { openInstruments, type ProcessInstruments } from './open-instruments';
import { openRoles } from './open-roles';
import type { RoleStops, SettledRole } from './run-role';
import type { ServiceContext } from './run-service';

const config = {
  ...{ LOG_LEVEL: 'silent', LOG_TO: 'stderr' as const, BIND_ADDRESS: '127.0.0.1', METRICS_PORT: 0 },
  OTEL_TRACES_SAMPLER_ARG: 1,
};

let isRedisThere: boolean;
let said: string[];
let drains: number[];
let failures: string[];
let service: ServiceContext;
let closes: ReturnType<typeof openCloseStack>;
let process: ProcessInstruments;

beforeEach(async () => {
  [said, drains, failures, isRedisThere] = [[], [], [], true];
  closes = openCloseStack((_, error) => failures.push((error as Error).message));
  service = {
    ...{ onClose: closes.add, cutoff: new AbortController().signal, stopping: new AbortController().signal },
    ...{ onStopping: () => undefined, logWith: () => undefined, hurry: () => undefined, announce: () => undefined },
    drainWithin: (ms) => void drains.push(ms),
  };
  process = await openInstruments(service, { name: 'fleet', config });
});

afterEach(() => closes.closeAll());

const role = (
  name: string,
  start: (stops: RoleStops) => void = () => undefined,
  labels: SettledRole['labels'] = {},
): SettledRole => ({
  ...{ name, labels, config, misspelled: [] },
  async start(stops, { admin }) {
    said.push(`open ${name}`);
    stops.onClose('resource', () => said.push(`close ${name}`));
    admin.addReadiness('redis', () => (isRedisThere ? undefined : Promise.reject(new Error('no answer'))));
    await new Promise(setImmediate);
    start(stops);
    said.push(`${name} serves`);
    return { [name]: `http://${name}` };
  },
});

test('a wave opens when the one before serves, and the waves close in the opposite order', async () => {
  const urls = await openRoles(service, process, [[role('worker')], [role('ingress'), role('gateway')]]);
  expect(urls).toEqual({ worker: 'http://worker', ingress: 'http://ingress', gateway: 'http://gateway' });
  expect(said.slice(0, 4)).toEqual(['open worker', 'worker serves', 'open ingress', 'open gateway']);
  said = [];
  await closes.closeAll();
  expect(said).toEqual(['close ingress', 'close gateway', 'close worker']);
});

test('the process is ready when all of its roles are, and names those that are not', async () => {
  const workers = ['hms', 'mi'].map((channel) => role('channel-worker', undefined, { channel }));
  await openRoles(service, process, [workers]);
  process.admin.ready();
  const ready = async () => (await (await fetch(`${process.admin.url}/readyz`)).json()) as unknown;
  expect(await ready()).toEqual({ status: 'ok' });
  isRedisThere = false;
  const failures = { 'channel-worker hms: redis': 'no answer', 'channel-worker mi: redis': 'no answer' };
  expect(await ready()).toEqual({ status: 'failing', failures });
});

test('a role that does not open is named, and what it had opened is closed', async () => {
  const failing = role('gateway', () => {
    throw new Error('no room');
  });
  await expect(openRoles(service, process, [[role('worker')], [failing]])).rejects.toThrow(
    'gateway did not open: no room',
  );
  await closes.closeAll();
  expect(said.filter((line) => line.startsWith('close'))).toEqual(['close gateway', 'close worker']);
});

test('a role that still opens while another fails is closed once it is open', async () => {
  let open = (): void => undefined;
  const opening = new Promise<void>((resolve) => (open = resolve));
  const slow: SettledRole = {
    ...role('dispatcher'),
    async start({ onClose }) {
      onClose('redis', () => said.push('close redis'));
      await opening;
      onClose('watch', () => said.push('close watch'));
      return {};
    },
  };
  const failing = role('worker', () => {
    throw new Error('no room');
  });
  await expect(openRoles(service, process, [[slow, failing]])).rejects.toThrow('no room');
  said = [];
  const closed = closes.closeAll();
  await new Promise(setImmediate);
  expect(said).toEqual(['close worker']);
  open();
  expect(await closed).toBe(true);
  expect(said).toEqual(['close worker', 'close watch', 'close redis']);
});

test('what an operator must correct stays one line, with the name of the role', async () => {
  const start = (): never => {
    throw new ConfigError(['GATEWAY_PORT: port 1 is already in use']);
  };
  await expect(openRoles(service, process, [[role('gateway', start)]])).rejects.toMatchObject({
    lines: ['gateway: GATEWAY_PORT: port 1 is already in use'],
  });
});

test('a role that does not close as it should is named, and the others close', async () => {
  const failing = role('ingress', ({ onClose }) =>
    onClose('door', () => {
      throw new Error('stuck');
    }),
  );
  await openRoles(service, process, [[role('worker')], [failing]]);
  expect(await closes.closeAll()).toBe(false);
  expect(failures).toEqual(['ingress did not close as they should']);
  expect(said).toContain('close worker');
});

test('only a role that takes longer than usual changes how long the process takes', async () => {
  const gateway = role('gateway', ({ drainWithin }) => [5000, 600_000].forEach((ms) => drainWithin(ms)));
  await openRoles(service, process, [[gateway]]);
  expect(drains).toEqual([600_000]);
});

test('without Redis only a role that drains for long keeps what it has', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  try {
    const stops: RoleStops[] = [];
    const stuck = (name: string, drainMs: number) =>
      role(name, (given) => {
        stops.push(given);
        given.drainWithin(drainMs);
        given.onClose('work', () => new Promise(() => undefined));
      });
    await openRoles(service, process, [[stuck('worker', 5000)], [role('ingress')]]);
    const closed = closes.closeAll();
    stops.forEach(({ hurry }) => hurry('Redis does not answer'));
    expect(stops.map(({ cutoff }) => cutoff.aborted)).toEqual([true]);
    await jest.advanceTimersByTimeAsync(3000);
    expect(await closed).toBe(false);
    expect(failures).toEqual(['worker did not close as they should']);
  } finally {
    jest.useRealTimers();
  }
});

test('a role that drains for long is not hurried', async () => {
  let given: RoleStops | undefined;
  const gateway = role('gateway', (stops) => {
    given = stops;
    stops.drainWithin(600_000);
  });
  await openRoles(service, process, [[gateway]]);
  given?.hurry('Redis does not answer');
  expect(given?.cutoff.aborted).toBe(false);
});
