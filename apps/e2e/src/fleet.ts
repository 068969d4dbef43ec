import { isDeepStrictEqual } from 'node:util';
import { writeJson } from '@pushfleet/domain';
import { channelNames, channels } from '@pushfleet/channels';
import { simulatorProfiles } from '@pushfleet/channels/simulators';
import { OWN_CHANNEL, type ChannelBooks } from '@pushfleet/domain';
import {
  FleetProcesses,
  outcomeCounts,
  recordedCounts,
  startRedisServer,
  until,
  type FleetShape,
  type RedisServer,
  type RedisServerOptions,
} from '@pushfleet/testing';

export interface DemoApp {
  readonly id: string;
  readonly key: string;
  readonly masterKey: string;
}

export interface WireRecord {
  readonly objectId: string;
  readonly status: string;
  readonly devices: number;
  readonly successes: number;
  readonly channels: Readonly<Record<string, ChannelBooks>>;
  readonly errors: readonly {
    channel: string;
    reason: string;
    count: number;
    vendorCode?: string;
    samples: string[];
  }[];
}

export interface ChannelTraffic {
  readonly calls: number;
  readonly devices: number;
  readonly distinctDevices: number;
  readonly duplicates: number;
}

/** The whole fleet on free ports with a Redis of its own and the simulator in place of the vendors. */
export class Fleet extends FleetProcesses {
  static async start(
    workers: readonly string[] = [...channelNames, OWN_CHANNEL],
    settings: Readonly<Record<string, string>> = {},
    { shape, ...redis }: RedisServerOptions & { readonly shape?: FleetShape } = {},
  ): Promise<Fleet> {
    return Fleet.on(await startRedisServer(redis), workers, { settings, shape });
  }

  /** The same beside a Redis of another kind, which is closed with it. */
  static async on(
    redis: RedisServer,
    workers: readonly string[],
    {
      settings,
      shape,
    }: { readonly settings?: Readonly<Record<string, string>>; readonly shape?: FleetShape | undefined },
  ): Promise<Fleet> {
    const fleet = new Fleet(redis, settings, shape);
    const endpoints = Object.values(channels).flatMap((channel) => Object.keys(channel.endpoints));
    await fleet.open({ workers, endpoints });
    return fleet;
  }

  /** The same with an app. */
  static async withApp(...parts: Parameters<typeof Fleet.start>): Promise<{ fleet: Fleet; app: DemoApp }> {
    const fleet = await Fleet.start(...parts);
    try {
      return { fleet, app: await fleet.createApp() };
    } catch (error) {
      await fleet.stop();
      throw error;
    }
  }

  async admin<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${this.url('console')}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${this.env['ADMIN_TOKEN'] ?? ''}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** A commercial app with hybrid push on, no limits and a profile for every vendor. */
  async createApp(settings: Readonly<Record<string, unknown>> = {}, given: Partial<DemoApp> = {}): Promise<DemoApp> {
    const app = await this.admin<DemoApp>('POST', '/apps', { name: 'demo', edition: 'commercial', ...given });
    const profiles = Object.entries(simulatorProfiles);
    await Promise.all([
      this.admin('PATCH', `/apps/${app.id}`, { hybrid: true, limits: { callsPerMinute: 0 }, ...settings }),
      ...profiles.map(([channel, profile]) =>
        this.admin('PUT', `/apps/${app.id}/profiles/${channel}/_default`, profile),
      ),
    ]);
    return app;
  }

  /** As an app build does, with the app key. */
  call<T>(app: DemoApp, line: readonly [string, string], body?: unknown): Promise<T> {
    return this.ask({ id: app.id, key: app.key }, line, body);
  }

  /** As the server of an app does, with the master key. */
  callAsServer<T>(app: DemoApp, line: readonly [string, string], body?: unknown): Promise<T> {
    return this.ask({ id: app.id, key: `${app.masterKey},master` }, line, body);
  }

  private async ask<T>(
    by: { readonly id: string; readonly key: string },
    [method, path]: readonly [string, string],
    body: unknown,
  ): Promise<T> {
    const answer = await fetch(`${this.url('ingress')}/1.1${path}`, {
      method,
      headers: { 'x-lc-id': by.id, 'x-lc-key': by.key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: writeJson(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  push(app: DemoApp, body: unknown): Promise<{ objectId: string; createdAt: string }> {
    return this.call(app, ['POST', '/push'], body);
  }

  record(app: DemoApp, pushId: string): Promise<WireRecord> {
    return this.callAsServer(app, ['GET', `/notifications/${pushId}`]);
  }

  /** The record once it is done. */
  done(app: DemoApp, pushId: string, timeoutMs = 60_000): Promise<WireRecord> {
    return until(
      async () => {
        const record = await this.record(app, pushId);
        if (record.status !== 'done') throw new Error(JSON.stringify(record));
        return record;
      },
      { timeoutMs, everyMs: 50 },
    );
  }

  async simulator<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${this.url('simulator')}/_simulator${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  async traffic(channel: string): Promise<ChannelTraffic> {
    const stats = await this.simulator<Record<string, ChannelTraffic>>('GET', '/stats');
    const found = stats[channel];
    if (!found) throw new Error(`the simulator knows no ${channel}`);
    return found;
  }
}

type ToldRow = Parameters<typeof outcomeCounts>[0][number];

/** What is told of single devices, in pages. */
interface ToldPage {
  readonly results: readonly ToldRow[];
  readonly cursor: string | null;
  readonly complete: boolean;
}

/** Throws when what is told of single devices is not what the record counts. */
export async function expectTold(fleet: Fleet, app: DemoApp, record: WireRecord): Promise<void> {
  const rows: ToldRow[] = [];
  let [cursor, isComplete]: [string | null, boolean] = ['', false];
  while (cursor !== null) {
    const query = cursor === '' ? '' : `&cursor=${cursor}`;
    const path = `/notifications/${record.objectId}/devices?limit=1000${query}`;
    const page: ToldPage = await fleet.callAsServer(app, ['GET', path]);
    rows.push(...page.results);
    [cursor, isComplete] = [page.cursor, page.complete];
  }
  requireSame(record, rows, isComplete);
}

/** The same of all of them in one stream. */
export async function expectStreamed(fleet: Fleet, app: DemoApp, record: WireRecord): Promise<void> {
  const answer = await fetch(`${fleet.url('ingress')}/1.1/notifications/${record.objectId}/devices`, {
    headers: { 'x-lc-id': app.id, 'x-lc-key': `${app.masterKey},master`, accept: 'application/x-ndjson' },
  });
  const lines = (await answer.text()).trimEnd().split('\n');
  const last = JSON.parse(lines.pop() ?? '') as { readonly complete: boolean; readonly devices: number };
  const rows = lines.map((line) => JSON.parse(line) as ToldRow);
  requireSame(record, rows, last.complete && last.devices === record.devices);
}

function requireSame({ channels }: WireRecord, rows: readonly ToldRow[], isComplete: boolean): void {
  const [told, recorded] = [outcomeCounts(rows), recordedCounts(channels)];
  if (!isComplete || !isDeepStrictEqual(told, recorded))
    throw new Error(`told ${JSON.stringify(told)}, recorded ${JSON.stringify(recorded)}, complete: ${isComplete}`);
}

/** Throws when a column does not add up. */
export function expectBalanced(record: WireRecord): void {
  for (const [channel, column] of Object.entries(record.channels)) {
    const booked = [
      column.accepted,
      column.outstanding,
      ...Object.values(column.discarded),
      ...Object.values(column.failed),
    ];
    const sum = booked.reduce((a, b) => a + b, 0);
    if (sum !== column.matched) throw new Error(`${channel} does not add up: ${JSON.stringify(column)}`);
  }
}
