/// <reference types="jest" />
import { until } from '@pushfleet/testing';
import type { DemoApp, Fleet } from '../fleet';

interface PushCommand {
  readonly cmd: number;
  readonly service: number | null;
  readonly dataMessage: {
    readonly ids: readonly string[];
    readonly msg: readonly { readonly data: string }[];
  } | null;
}

interface Connection {
  on(event: 'message', listener: (command: PushCommand) => void): void;
  once(event: 'reconnect', listener: () => void): void;
  send(command: object, waitsForAnswer?: boolean): Promise<PushCommand>;
}

interface Client {
  _open(): Promise<Connection>;
  _close(): void;
}

/** What the published types leave out: the codec, and the connection below the chat client. */
interface RealtimeModule {
  readonly Realtime: new (options: Readonly<Record<string, unknown>>) => Client;
  readonly Protocals: {
    readonly GenericCommand: new (fields: object) => object;
    readonly AckCommand: new (fields: object) => object;
    readonly CommandType: Readonly<Record<'login' | 'ack' | 'loggedin' | 'data', number>>;
  };
}

/** One copy of the module serves one device of an app. */
async function freshModule(): Promise<RealtimeModule> {
  let found: unknown;
  await jest.isolateModulesAsync(async () => {
    found = await import('leancloud-realtime');
  });
  return found as RealtimeModule;
}

export interface Heard {
  readonly id: string;
  readonly message: Readonly<Record<string, unknown>>;
}

/** A device that speaks through the router, the codec and the connection of the published JavaScript client. */
export class RealtimeDevice {
  readonly heard: Heard[] = [];

  private constructor(
    private readonly protocol: RealtimeModule['Protocals'],
    private readonly line: { readonly client: Client; readonly connection: Connection },
    private readonly identity: { readonly appId: string; readonly installationId: string },
  ) {
    line.connection.on('message', (command) => this.hear(command));
  }

  static async connect(fleet: Fleet, app: DemoApp, installationId: string): Promise<RealtimeDevice> {
    const { Realtime, Protocals } = await freshModule();
    const client = new Realtime({ appId: app.id, appKey: app.key, server: fleet.url('ingress'), ssl: false });
    const connection = await client._open();
    return new RealtimeDevice(Protocals, { client, connection }, { appId: app.id, installationId });
  }

  async login(): Promise<void> {
    const answer = await this.line.connection.send(
      new this.protocol.GenericCommand({ cmd: this.protocol.CommandType.login, ...this.identity }),
    );
    if (answer.cmd !== this.protocol.CommandType.loggedin || answer.service !== 0)
      throw new Error(`not logged in: ${JSON.stringify(answer)}`);
  }

  async ack(ids: readonly string[]): Promise<void> {
    const { installationId } = this.identity;
    const ackMessage = new this.protocol.AckCommand({ ids });
    const command = { cmd: this.protocol.CommandType.ack, installationId, ackMessage };
    await this.line.connection.send(new this.protocol.GenericCommand(command), false);
  }

  /** Resolves when the client has opened its next connection, which it does by itself. */
  reconnected(): Promise<void> {
    return new Promise((resolve) => this.line.connection.once('reconnect', resolve));
  }

  get ids(): readonly string[] {
    return this.heard.map(({ id }) => id);
  }

  async received(id: string): Promise<Heard['message']> {
    const found = await until(() => this.heard.find((heard) => heard.id === id));
    return found?.message ?? {};
  }

  close(): void {
    this.line.client._close();
  }

  private hear({ cmd, dataMessage }: PushCommand): void {
    if (cmd !== this.protocol.CommandType.data || !dataMessage) return;
    dataMessage.ids.forEach((id, n) =>
      this.heard.push({ id, message: JSON.parse(dataMessage.msg[n]?.data ?? '{}') as Heard['message'] }),
    );
  }
}
