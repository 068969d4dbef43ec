import { type Server } from 'node:http';
import { type Socket } from 'node:net';

/**
 * TLS puts a socket of its own above each that was accepted, and requests know that one only. Answers which was accepted: the one
 * between the same two addresses.
 */
export function openTlsSockets(server: Server): (socket: Socket) => Socket {
  if (!('setSecureContext' in server)) return (socket) => socket;
  const accepted = new Map<string, Socket>();
  const below = new WeakMap<Socket, Socket>();
  server.on('connection', (socket: Socket) => {
    const ends = endsOf(socket);
    accepted.set(ends, socket);
    socket.once('close', () => {
      if (accepted.get(ends) === socket) accepted.delete(ends);
    });
  });
  server.on('secureConnection', (socket: Socket) => {
    const plain = accepted.get(endsOf(socket));
    if (plain) below.set(socket, plain);
  });
  return (socket) => below.get(socket) ?? socket;
}

const endsOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  [remoteAddress, remotePort, localAddress, localPort].join(' ');
