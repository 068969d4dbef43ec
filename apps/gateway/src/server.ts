import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { chooseSubprotocol, codecOf } from '@pushfleet/own-protocol';
import { LIMITS } from '@pushfleet/domain';
import {
  addressOf,
  DEFAULT_HTTP_LIMITS,
  networkOf,
  openHttpServer,
  type HttpServer,
  type HttpServerOptions,
} from '@pushfleet/service-kit';
import { WebSocketServer, type Server as SocketServer } from 'ws';
import type { Addresses } from './addresses';
import { Connection, type ConnectionPorts } from './connection';
import { DeviceSocket } from './device-socket';
import { refuseUpgrade } from './refuse-upgrade';
import { CLOSES } from './session';
import { readersToDrop } from './slow-readers';

export interface ServerOptions {
  readonly maxFrameBytes: number;
  readonly loginTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** What may wait for all devices of an address; 0 = no limit. */
  readonly bufferedBytesPerAddress: number;
  /** Trusted proxies between the devices and this process. */
  readonly proxyHops: number;
  /** Absent: devices come without TLS. */
  readonly certificate?: HttpServerOptions['certificate'];
}

export interface ServerPorts extends ConnectionPorts {
  readonly addresses: Addresses;
  onOpened(subprotocol: string): void;
  onRefused(): void;
}

const NOT_HERE = JSON.stringify({ code: 404, error: 'This port speaks WebSocket only.' });
/** No device asks again, and whoever asks often enough without reading would hold its place for ever. */
const NOT_HERE_HEADERS = { 'content-type': 'application/json;charset=utf-8', connection: 'close' };
const REQUEST_TIMEOUT_MS = 10_000;
/** How long a device may take to answer a close. */
const CLOSE_WITHIN_MS = 2000;
/** A close that is not answered within this ends the connection all the same, and so do more pieces of one message. */
const SOCKET_LIMITS = { closeTimeout: 5000, maxFragments: LIMITS.framePieces.value };

/** Until a frame is complete each packet of it is kept by itself, and costs some hundred bytes beside its own. */
const mostPackets = ({ maxFrameBytes }: ServerOptions): number =>
  Math.ceil(LIMITS.framePackets.value * Math.max(1, maxFrameBytes / LIMITS.frameBytes.value));

/** The devices' door: upgrades connections, watches over their silence, and lets them go in the end. */
export class DeviceServer {
  readonly http: HttpServer;
  private readonly connections = new Set<Connection>();
  private readonly webSockets: SocketServer<typeof DeviceSocket>;
  /** The same for all connections. */
  private readonly connectionPorts: ConnectionPorts;
  private opened = 0;
  private isShut = false;

  constructor(
    private readonly ports: ServerPorts,
    private readonly options: ServerOptions,
  ) {
    this.connectionPorts = {
      ...ports,
      onClosed: (connection, reason) => {
        this.connections.delete(connection);
        ports.addresses.leave(connection.address);
        ports.onClosed(connection, reason);
      },
    };
    this.webSockets = new WebSocketServer({
      WebSocket: DeviceSocket,
      noServer: true,
      clientTracking: false,
      maxPayload: options.maxFrameBytes,
      maxBufferedChunks: mostPackets(options),
      perMessageDeflate: false,
      // The library would cut off whoever pings more often than it likes before the connection can say why.
      autoPong: false,
      ...SOCKET_LIMITS,
      handleProtocols: (offered) => chooseSubprotocol(offered) ?? false,
    });
    this.webSockets.on('wsClientError', refuseUpgrade);
    const connectionsPerAddress = options.proxyHops > 0 ? 0 : DEFAULT_HTTP_LIMITS.connectionsPerAddress;
    this.http = openHttpServer(
      {
        limits: { ...DEFAULT_HTTP_LIMITS, connectionsPerAddress },
        onRefused: () => ports.onRefused(),
        certificate: options.certificate,
        more: { requestTimeout: REQUEST_TIMEOUT_MS },
      },
      (_, res) => {
        res.writeHead(404, NOT_HERE_HEADERS).end(NOT_HERE);
      },
    );
    this.http.on('upgrade', (req, socket, head) => this.upgrade(req, socket, head));
  }

  get size(): number {
    return this.connections.size;
  }

  /** Ends what has been silent for too long or reads too slowly, and forgets addresses that are gone for good. */
  sweep(): void {
    const now = this.ports.now();
    const { idleTimeoutMs, loginTimeoutMs, bufferedBytesPerAddress } = this.options;
    const readers: Connection[] = [];
    for (const connection of this.connections) {
      if (connection.newMs(now) > loginTimeoutMs) connection.end(CLOSES.loginTimeout, 'login-timeout');
      else if (connection.silentMs(now) > idleTimeoutMs) this.giveUp(connection);
      if (connection.bufferedBytes > 0) readers.push(connection);
    }
    for (const connection of readersToDrop(readers, bufferedBytesPerAddress)) connection.dropSlow();
    this.ports.addresses.sweep();
  }

  /** A device that ended its side and reads nothing is told nothing any more, and would stay for ever. */
  private giveUp(connection: Connection): void {
    if (connection.isOpen) connection.end(CLOSES.idle, 'idle');
    else connection.drop();
  }

  /** Takes no new devices. */
  shut(): void {
    this.isShut = true;
    this.http.close();
    this.http.closeIdleConnections();
  }

  /** Ends what is left, kindly at first. */
  async endAll(): Promise<void> {
    for (const connection of this.connections) connection.end(CLOSES.leaving, 'leaving');
    const deadline = performance.now() + CLOSE_WITHIN_MS;
    while (this.size > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    for (const connection of this.connections) connection.drop();
    this.http.closeAllConnections();
  }

  /** A refusal that is answered would silence some clients for good: the socket just closes. */
  private upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.isShut) return void socket.destroy();
    const address = networkOf(addressOf(req, this.options.proxyHops));
    if (!this.ports.addresses.enter(address)) {
      this.ports.onRefused();
      socket.destroy();
      return;
    }
    // From here on it counts as a device's. It is a socket of the system, or one of TLS.
    this.http.guard.letGo(socket as Socket);
    const giveBack = (): void => this.ports.addresses.leave(address);
    socket.once('close', giveBack);
    this.webSockets.handleUpgrade(req, socket, head, (deviceSocket) => {
      // From here on the connection does that.
      socket.off('close', giveBack);
      this.open(deviceSocket, socket, address);
    });
  }

  private open(socket: DeviceSocket, stream: Duplex, address: string): void {
    this.opened += 1;
    const codec = codecOf(socket.protocol);
    const { connectionPorts: ports, opened: number } = this;
    this.connections.add(new Connection({ socket, stream, codec, ports, number, address }));
    this.ports.onOpened(socket.protocol);
  }
}
