import { Duplex } from 'node:stream';
import { jsonCodec } from '@pushfleet/own-protocol';
import { Connection, type ConnectionPorts } from './connection';
import { DeviceSocket } from './device-socket';

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

  override send(): void {
    return;
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

const ACK = JSON.stringify({ cmd: 'ack', ids: ['m1'] });

function aLiveConnection() {
  const { connection, socket } = aConnection();
  Object.defineProperty(socket, 'readyState', { value: DeviceSocket.OPEN });
  connection.attend(JSON.stringify({ cmd: 'login', appId: 'app', installationId: 'device' }));
  connection.handle({ kind: 'joined', messages: [], mostBytes: 1 });
  for (const id of ['m1', 'm2', 'm3'])
    connection.handle({ kind: 'stored', message: { id, reference: `${id} 9`, text: '{}' } });
  return { connection, socket };
}

test('acknowledgements of what a device got are no frames too many, others are', () => {
  const { connection, socket } = aLiveConnection();
  for (const id of ['m1', 'm2', 'm3']) connection.hear(JSON.stringify({ cmd: 'ack', ids: [id] }));
  connection.hear(ACK);
  expect(socket.closes).toEqual([]);
  connection.hear(ACK);
  expect(socket.closes).toEqual([4116]);
});

test('an acknowledgement of all that a device got leaves no room for others', () => {
  const { connection, socket } = aLiveConnection();
  connection.hear(JSON.stringify({ cmd: 'ack', ids: ['m1', 'm2', 'm3'] }));
  connection.hear(ACK);
  expect(socket.closes).toEqual([]);
  connection.hear(ACK);
  expect(socket.closes).toEqual([4116]);
});

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
