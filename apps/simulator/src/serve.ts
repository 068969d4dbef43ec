import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readSimulatorRequest, sendReply, type SimulatorAnswer } from '@pushfleet/channel-kit/testing';
import { type Logger } from '@pushfleet/service-kit';
import { control, CONTROL_PATH } from './control';
import { type Vendors } from './vendors';

const json = (status: number, body: unknown): SimulatorAnswer => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});

const TOO_LARGE = json(413, { code: 413, error: 'The body is larger than 8 MiB.' });
const NO_VENDOR = json(404, { code: 404, error: 'No vendor serves this path.' });
const DEFECT = json(500, { code: 1, error: 'The simulator has a defect; its log tells more.' });

const send = (res: ServerResponse, answer: SimulatorAnswer): void => sendReply(res, { answer, delayMs: 0 });

const isControl = (path: string): boolean => path === CONTROL_PATH || path.startsWith(`${CONTROL_PATH}/`);

async function respond(vendors: Vendors, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const request = await readSimulatorRequest(req);
  if (request === undefined) {
    res.setHeader('connection', 'close');
    send(res, TOO_LARGE);
    return;
  }
  if (isControl(request.path)) {
    const { status, body, headers = {} } = await control(vendors, request);
    send(res, { ...json(status, body), headers });
    return;
  }
  const reply = vendors.receive(request);
  if (reply === undefined) send(res, NO_VENDOR);
  else sendReply(res, reply);
}

/** A bare HTTP server: a benchmark would measure every further layer together with the fleet. */
export function createSimulatorServer(vendors: Vendors, log: Logger): Server {
  return createServer((req, res) => {
    respond(vendors, req, res).catch((err: unknown) => {
      if (req.destroyed && !req.complete) return;
      log.error({ err, path: req.url }, 'the simulator failed');
      if (!res.headersSent) send(res, DEFECT);
    });
  });
}
