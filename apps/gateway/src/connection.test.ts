import { Duplex } from 'node:stream';
import { jsonCodec } from '@pushfleet/own-protocol';
import { Connection, DeviceSocket, type ConnectionPorts } from './connection';

/** A socket that is never opened, and that only notes what would be done to it. */
class StillSocket extends DeviceSocket {
  isRead = true;
  isDropped = false;
  readonly closes: number[] = [];

  constructor() {
    super(null as never, undefined, {});
  }

  override pause(): void {
    this.isRead = false;
  }

  override resume(): void {
    this.isRead = true;
  }

  override close(code = 0): void {
    this.closes.push(code);
  }

  override terminate(): void {
    this.isDropped = true;
  }
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function aConnection() {
  const socket = new StillSocket();
  const nothing = (): void => undefined;
  const ports: ConnectionPorts = {
    ...{ now: () => 0, maxBufferedBytes: 1, framesPerSecond: 1, bytesPerSecond: 0, idPrefix: 'x' },
    turns: { take: (speaker, frame) => speaker.attend(frame), forget: nothing },
    ...{ perform: nothing, onCommand: nothing, onSent: nothing, onClosed: nothing, onFault: nothing },
  };
  const stream = new Duplex({ read: nothing });
  const connection = new Connection({ socket, stream, codec: jsonCodec, ports, number: 1, address: 'a' });
  return { connection, socket };
}

test('a device that is refused while it waits for its turn is read on, so that its answer to the close is heard', () => {
  const { connection, socket } = aConnection();
  connection.hold();
  connection.attend('no command');
  expect([socket.closes, socket.isRead]).toEqual([[4103], false]);
  connection.release();
  expect(socket.isRead).toBe(true);
});

test('a device that is sent away for its manners is read no more, whatever turn it waits for', () => {
  const { connection, socket } = aConnection();
  connection.hear('{}');
  expect(socket.isRead).toBe(true);
  connection.hear('{}');
  connection.release();
  expect([socket.closes, socket.isRead, socket.isDropped]).toEqual([[4116], false, false]);
  jest.runAllTimers();
  expect(socket.isDropped).toBe(true);
});
