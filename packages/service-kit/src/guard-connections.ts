import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { openTlsSockets } from './tls/tls-sockets';
import { networkOf } from './network-of';
import { isPrivateAddress } from './private-address';

export interface ConnectionLimits {
  /** 0: no limit. */
  readonly connections: number;
  /** Of one address, or of one /64 network of IPv6; 0: no limit. */
  readonly connectionsPerAddress: number;
  /** Addresses that stand for many callers; absent: private ones. */
  readonly isShared?: (address: string) => boolean;
}

export type ConnectionShortage = 'connections' | 'connections-of-address' | 'requests-in-line';

interface Crowd {
  size: number;
  /** Those that no request is answered for, the longest waiting first. */
  readonly waiting: Set<Socket>;
}

const crowd = (): Crowd => ({ size: 0, waiting: new Set() });

/** What a server holds. */
export interface ConnectionGuard {
  /** Of callers; without those that were let go. */
  count(): number;
  isAnswering(socket: Socket): boolean;
  /** Requests of a connection that are not answered yet, those before the one that is being told of. */
  inLine(socket: Socket): number;
  /** Lets a connection go that other limits hold for from there on. */
  letGo(socket: Socket): void;
}

/**
 * Limits the connections of a server. A new one takes the place of the one that has been without a request for the longest
 * time, idle or half sent, so that whoever holds connections without asking for anything cannot keep others out.
 */
export function guardConnections(
  server: Server,
  limits: ConnectionLimits,
  onRefused: (shortage: ConnectionShortage) => void,
): ConnectionGuard {
  const all = crowd();
  const networks = new Map<string, Crowd>();

  /** False when nobody gives way. */
  function makeRoom(of: Crowd, limit: number, shortage: ConnectionShortage): boolean {
    if (limit === 0 || of.size < limit) return true;
    onRefused(shortage);
    const [longest] = of.waiting;
    longest?.destroy();
    if (longest) leave(longest);
    return longest !== undefined;
  }

  const crowds = new Map<Socket, readonly Crowd[]>();
  const acceptedOf = openTlsSockets(server);

  function enter(socket: Socket): void {
    // It was handed back to the server.
    if (crowds.has(socket)) return;
    const { remoteAddress: address = '' } = socket;
    const network = networkOf(address);
    const neighbours = networks.get(network) ?? crowd();
    const { connections, isShared = isPrivateAddress } = limits;
    const connectionsPerAddress = isShared(address) ? 0 : limits.connectionsPerAddress;
    const hasRoom =
      makeRoom(neighbours, connectionsPerAddress, 'connections-of-address') &&
      makeRoom(all, connections, 'connections');
    if (!hasRoom) return void socket.destroy();
    networks.set(network, neighbours);
    const joined = [all, neighbours];
    crowds.set(socket, joined);
    for (const one of joined) one.size += 1;
    wait(socket);
    socket.once('close', () => {
      leave(socket);
      // Those who were let go left an empty crowd behind, and others may stand in a new one.
      if (neighbours.size === 0 && networks.get(network) === neighbours) networks.delete(network);
    });
  }

  function leave(socket: Socket): void {
    for (const one of crowds.get(socket) ?? []) {
      one.size -= 1;
      one.waiting.delete(socket);
    }
    crowds.delete(socket);
  }

  function wait(socket: Socket): void {
    for (const one of crowds.get(socket) ?? []) one.waiting.add(socket);
  }

  function work(socket: Socket): void {
    for (const one of crowds.get(socket) ?? []) one.waiting.delete(socket);
  }

  server.on('connection', enter);
  const inLine = watchRequests(server, acceptedOf, { wait, work });
  return {
    inLine: (socket) => inLine.get(acceptedOf(socket)) ?? 0,
    count: () => all.size,
    isAnswering: (socket) => crowds.has(acceptedOf(socket)) && !all.waiting.has(acceptedOf(socket)),
    letGo: (socket) => leave(acceptedOf(socket)),
  };
}

/** A client may send one request behind another: its connection waits again when none of them is answered any more. */
function watchRequests(
  server: Server,
  acceptedOf: (socket: Socket) => Socket,
  { wait, work }: Readonly<Record<'wait' | 'work', (socket: Socket) => void>>,
): Pick<WeakMap<Socket, number>, 'get'> {
  const inLine = new WeakMap<Socket, number>();
  const count = (socket: Socket, change: number): number => {
    const left = (inLine.get(socket) ?? 0) + change;
    inLine.set(socket, left);
    return left;
  };
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    const socket = acceptedOf(req.socket);
    count(socket, 1);
    work(socket);
    res.once('close', () => {
      if (count(socket, -1) === 0) wait(socket);
    });
  });
  return inLine;
}
