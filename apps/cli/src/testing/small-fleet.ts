import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { binaryCodec, type Command } from '@pushfleet/own-protocol';
import { WebSocketServer, type WebSocket } from 'ws';

export interface SmallFleet {
  readonly url: string;
  /** Requests other than upgrades, with the app that they named. */
  readonly requests: readonly string[];
  /** By installationId. */
  readonly online: ReadonlyMap<string, WebSocket>;
  readonly commands: readonly Command[];
  /** Answers to come for registrations. */
  readonly refusals: number[];
  push(id: string): void;
  stop(): Promise<void>;
}

/** What a device sees of a fleet: registrations, the router, and a gateway that answers logins. */
export async function startSmallFleet(): Promise<SmallFleet> {
  const requests: string[] = [];
  const refusals: number[] = [];
  const commands: Command[] = [];
  const online = new Map<string, WebSocket>();
  const http = createServer((req, res) => {
    requests.push(`${req.method ?? ''} ${req.url ?? ''} ${String(req.headers['x-lc-key'])}`);
    const status = req.url?.startsWith('/v1/route') ? 200 : (refusals.shift() ?? 201);
    res.writeHead(status).end(JSON.stringify({ server: url('a'), secondary: url('b'), ttl: 3600, objectId: 'o' }));
  });
  const url = (path: string): string => `ws://127.0.0.1:${(http.address() as AddressInfo).port}/${path}`;
  const webSockets = new WebSocketServer({ server: http });
  webSockets.on('connection', (socket) => {
    socket.on('message', (frame: Buffer) => {
      const command = binaryCodec.decode(frame);
      commands.push(command);
      if (command.cmd !== 'login') return;
      online.set(command.installationId ?? '', socket);
      socket.send(binaryCodec.encode({ cmd: 'loggedin', service: 0 }));
    });
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  return {
    ...{ url: url('').replace('ws', 'http').slice(0, -1), requests, online, commands, refusals },
    push(id) {
      const frame = binaryCodec.encode({ cmd: 'data', service: 0, messages: [{ id, text: '{}' }] });
      for (const socket of online.values()) socket.send(frame);
    },
    async stop() {
      for (const socket of webSockets.clients) socket.terminate();
      http.close();
      http.closeAllConnections();
      await once(http, 'close');
    },
  };
}
