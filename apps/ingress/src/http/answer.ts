import { type IncomingMessage, type ServerResponse } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const JSON_TYPE = 'application/json;charset=utf-8';

export function jsonAnswer(status: number, value: unknown, headers?: Readonly<Record<string, string>>): Answer {
  return { status, body: JSON.stringify(value), headers };
}

/** The rest of a refused body up to this size is let in unread, so that the caller gets to read the answer. */
const MAX_IGNORED_BYTES = 1024 * 1024;

function isTooMuchToIgnore(req: IncomingMessage): boolean {
  if (req.complete) return false;
  const declared = req.headers['content-length'];
  return declared === undefined ? req.headers['transfer-encoding'] !== undefined : Number(declared) > MAX_IGNORED_BYTES;
}

export function send(req: IncomingMessage, res: ServerResponse, answer: Answer): void {
  const headers = [
    ...['content-type', answer.contentType ?? JSON_TYPE, 'content-length', String(Buffer.byteLength(answer.body))],
    ...['cache-control', 'no-cache,no-store', 'access-control-allow-origin', '*'],
  ];
  if (answer.headers) {
    headers.push('access-control-expose-headers', 'location, retry-after');
    for (const [name, value] of Object.entries(answer.headers)) headers.push(name, value);
  }
  if (isTooMuchToIgnore(req)) headers.push('connection', 'close');
  res.writeHead(answer.status, headers);
  res.end(answer.body);
}
