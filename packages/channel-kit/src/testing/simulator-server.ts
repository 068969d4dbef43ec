import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FaultBook, faultOf, type FaultWish } from './fault-book';
import type { ChannelSimulator, SentMessage, SimulatorRequest } from './simulator';
import { answerUnder, readSimulatorRequest, sendReply } from './simulator-wire';

/** A vendor behind a socket of this machine: what a test needs whose subject is the connection itself. */
export interface SimulatorServer {
  readonly origin: string;
  readonly requests: readonly SimulatorRequest[];
  readonly sent: readonly SentMessage[];
  /** The first answers that match are struck: once, unless `count` says otherwise. */
  fault(wish: Omit<FaultWish, 'channel'>): void;
  /** No fault is in force any more. */
  heal(): void;
  close(): Promise<void>;
}

const CHANNEL = 'vendor';

export async function serveSimulator(simulator: ChannelSimulator): Promise<SimulatorServer> {
  const faults = new FaultBook();
  const requests: SimulatorRequest[] = [];
  const sent: SentMessage[] = [];
  const server = createServer((req, res) => {
    readSimulatorRequest(req).then(
      (request) => {
        if (request === undefined || !simulator.handles(request.path)) return void res.writeHead(404).end();
        requests.push(request);
        const reply = answerUnder(faults.strike(CHANNEL, request), simulator, request);
        if (reply.answer?.sent) sent.push(reply.answer.sent);
        sendReply(res, reply);
      },
      () => res.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    sent,
    fault: (wish) => faults.put(faultOf({ count: 1, ...wish, channel: CHANNEL })),
    heal: () => faults.clear(),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}
