import type { Limits } from './limit';

/** What one device may do on its connection to a gateway, where it is known by nothing but its words. */
export const DEVICE_CONNECTIONS = {
  frameBytes: {
    value: 65_536,
    unit: 'bytes',
    bounds: 'A frame of a device.',
    beyond: 'The connection is closed with 1009.',
    setting: 'MAX_FRAME_BYTES',
  },
  frameBytesBeforeLogin: {
    value: 4096,
    unit: 'bytes',
    bounds: 'A frame before the login.',
    beyond: 'The connection is closed with 4109.',
  },
  loginIdBytes: {
    value: 512,
    unit: 'bytes',
    bounds: 'The id of the app, and the installationId, in a login.',
    beyond: 'The connection is closed with 4103.',
  },
  framePieces: {
    value: 128,
    unit: 'pieces',
    bounds: 'Pieces of one frame.',
    beyond: 'The connection is closed with 1008.',
  },
  framePackets: {
    value: 256,
    unit: 'packets',
    bounds: 'Packets in which a frame arrives; more where `MAX_FRAME_BYTES` is more, in proportion.',
    beyond: 'The connection is closed with 1008.',
  },
  framesPerSecond: {
    value: 100,
    unit: 'frames',
    bounds:
      'Frames of one connection in a second, pings and pongs among them; acknowledgements of what it got are not.',
    beyond: 'The connection is closed with 4116.',
    setting: 'FRAMES_PER_SECOND',
  },
  deviceBytesPerSecond: {
    value: 262_144,
    unit: 'bytes',
    bounds: 'Bytes of one connection in a second.',
    beyond: 'The connection is closed with 4116.',
    setting: 'BYTES_PER_SECOND',
  },
  bufferedBytes: {
    value: 1_048_576,
    unit: 'bytes',
    bounds: 'What waits for a device that reads slowly.',
    beyond: 'The connection is dropped; the mailbox keeps what was not acknowledged.',
    setting: 'MAX_BUFFERED_BYTES',
  },
  bufferedBytesPerAddress: {
    value: 67_108_864,
    unit: 'bytes',
    bounds: 'The same for all devices of one IPv4 address or IPv6 /64 network together, looked at every few seconds.',
    beyond: 'The connections for which most waits are dropped.',
    setting: 'BUFFERED_BYTES_PER_ADDRESS',
  },
  connectionsPerAddress: {
    value: 1000,
    unit: 'connections',
    bounds: 'Connections of one IPv4 address or IPv6 /64 network to one gateway.',
    beyond: 'The connection is cut off before it is answered, because clients try again only then.',
    setting: 'CONNECTIONS_PER_ADDRESS',
  },
  loginsPerAddress: {
    value: 20,
    unit: 'logins',
    bounds: 'Logins of one such address in a second.',
    beyond: 'The login waits for its turn.',
    setting: 'LOGINS_PER_ADDRESS',
  },
  loginWaitMs: {
    value: 15_000,
    unit: 'ms',
    bounds: 'How long a login may wait for its turn.',
    beyond: 'Closed with 4116; the login takes no turn.',
  },
} as const satisfies Limits;
