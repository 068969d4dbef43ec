import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type SimulatorAnswer, type SimulatorRequest } from '@pushfleet/channel-kit/testing';
import { type Logger } from '@pushfleet/service-kit';
import { control, CONTROL_PATH } from './control';
import { type Vendors } from './vendors';

const MAX_BODY_BYTES = 8 * 1024 * 1024;

const json = (status: number, body: unknown): SimulatorAnswer => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});

const TOO_LARGE = json(413, { code: 413, error: 'The body is larger than 8 MiB.' });
const NO_VENDOR = json(404, { code: 404, error: 'No vendor serves this path.' });
const DEFECT = json(500, { code: 1, error: 'The simulator has a defect; its log tells more.' });

/** `undefined` when the body is too large. */
function readBody(req: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
      else resolve(undefined);
    });
    req.on('end', () => resolve((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString()));
    req.on('error', reject);
  });
}

function asSimulatorRequest(req: IncomingMessage, body: string): SimulatorRequest {
  const url = req.url ?? '/';
  const mark = url.indexOf('?');
  const headers: Record<string, string | undefined> = {};
  for (const name in req.headers) headers[name] = String(req.headers[name]);
  return {
    method: req.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)),
    headers,
    body,
  };
}

function send(res: ServerResponse, { status, contentType, body }: SimulatorAnswer): void {
  res.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) });
  res.end(body);
}

const afterMs = (delayMs: number, run: () => void): void => {
  if (delayMs > 0) setTimeout(run, delayMs);
  else run();
};

const isControl = (path: string): boolean => path === CONTROL_PATH || path.startsWith(`${CONTROL_PATH}/`);

async function respond(vendors: Vendors, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const body = await readBody(req);
  if (body === undefined) {
    res.setHeader('connection', 'close');
    send(res, TOO_LARGE);
    return;
  }
  const request = asSimulatorRequest(req, body);
  if (isControl(request.path)) {
    const answer = await control(vendors, request);
    send(res, json(answer.status, answer.body));
    return;
  }
  const reply = vendors.receive(request);
  if (reply === undefined) {
    send(res, NO_VENDOR);
    return;
  }
  const { answer, delayMs } = reply;
  afterMs(delayMs, () => (answer === undefined ? req.socket.destroy() : send(res, answer)));
}

/** A bare server: beside a benchmark, every layer here would be measured with the fleet. */
export function createSimulatorServer(vendors: Vendors, log: Logger): Server {
  return createServer((req, res) => {
    respond(vendors, req, res).catch((err: unknown) => {
      if (req.destroyed && !req.complete) return;
      log.error({ err, path: req.url }, 'the simulator failed');
      if (!res.headersSent) send(res, DEFECT);
    });
  });
}
