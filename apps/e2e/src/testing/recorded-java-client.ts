import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { binaryCodec, type Command } from '@pushfleet/own-protocol';
import { until } from '@pushfleet/testing';
import { WebSocket } from 'ws';

/** App and installation of the recordings; the bytes below hold both. */
export const RECORDED = {
  ...{ appId: 'testappid0123-gzGzoHsz', appKey: 'testkey', installationId: 'df0b458c6424abb603adfbe8fd37495e' },
  /** Of `testkey`, as the SDK made it. */
  sign: 'e9d2575c62f6b1f1a902d75396deeb2b,1795253798559',
} as const;

/** What the Java SDK (LeanCloud Java SDK 8.2.28) sends after the upgrade on a JVM. */
export const LOGIN =
  '08081a16746573746170706964303132332d677a477a6f48737a32206466306234353863363432346162623630336164666265386664333734393565';
/** What it adds on Android: Google/google/Pixel, REL, API 33, no emulator. */
export const SYSTEM_INFO = 'a206280a26080112152a13476f6f676c652f676f6f676c652f506978656c1a090a0352454c120233332000';
/** The JavaScript client's, with the number 1, for `inst-1`. */
export const LOGIN_WITH_NUMBER = '08081a16746573746170706964303132332d677a477a6f48737a28013206696e73742d31';
export const LIVE_QUERY_LOGIN = '08081a16746573746170706964303132332d677a477a6f48737a280132057375622d314001';
export const LOGGED_IN = '080f4000';
export const LOGGED_IN_WITH_NUMBER = '080f28014000';
/** How every push begins: `data`, service 0, then at once the messages, without peerId and number. */
export const DATA_BEGINS = '08094000aa06';

const hexOf = (text: string): string => Buffer.from(text).toString('hex');
const field = (tag: string, text: string): string => tag + Buffer.from([text.length]).toString('hex') + hexOf(text);

/** As the Java SDK encodes it: neither an app nor a number. */
export function javaAck(...ids: readonly string[]): string {
  const list = ids.map((id) => field('52', id)).join('');
  return `0803${field('32', RECORDED.installationId)}ca06${Buffer.from([list.length / 2]).toString('hex')}${list}`;
}

/** A socket that sends recorded bytes, and keeps what comes back as bytes. */
export class RecordedJavaClient {
  readonly frames: string[] = [];
  closed: number | undefined;
  pongs = 0;

  private constructor(
    readonly upgrade: IncomingMessage,
    readonly socket: WebSocket,
  ) {
    socket.on('message', (frame: Buffer) => this.frames.push(frame.toString('hex')));
    socket.on('pong', () => (this.pongs += 1));
    socket.on('close', (code) => (this.closed = code));
  }

  static async connect(url: string): Promise<RecordedJavaClient> {
    const socket = new WebSocket(url, ['lc.protobuf2.3'], { perMessageDeflate: false });
    const upgraded = once(socket, 'upgrade') as Promise<[IncomingMessage]>;
    const [[upgrade]] = await Promise.all([upgraded, once(socket, 'open')]);
    return new RecordedJavaClient(upgrade, socket);
  }

  send(hex: string): void {
    this.socket.send(Buffer.from(hex, 'hex'));
  }

  async hears(hex: string): Promise<void> {
    await until(() => this.frames.includes(hex));
  }

  get pushes(): readonly Command[] {
    return this.frames.map((hex) => binaryCodec.decode(Buffer.from(hex, 'hex'))).filter(({ cmd }) => cmd === 'data');
  }

  get ids(): readonly string[] {
    return this.pushes.flatMap(({ messages = [] }) => messages.map(({ id }) => id));
  }

  async close(): Promise<void> {
    if (this.closed !== undefined) return;
    this.socket.terminate();
    await until(() => this.closed !== undefined);
  }
}
