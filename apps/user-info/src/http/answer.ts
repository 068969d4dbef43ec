import { type ServerResponse } from 'node:http';
import { PROBLEMS, type Refusal } from './problem';

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Absent: JSON. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Every answer is an envelope `{success, data, now}` that repeats the fields of `data` at the top: the vendor's SDKs
 * read the envelope, its documents show the fields alone. `now` is in whole seconds; SDKs set their clocks by it.
 */
const envelope = (success: boolean, data: object, nowMs: number): string =>
  JSON.stringify({ success, data, now: Math.floor(nowMs / 1000), ...data });

export const userAnswer = (data: object, nowMs: number): Answer => ({ status: 200, body: envelope(true, data, nowMs) });

export function problemAnswer({ code: error, message, options }: Refusal, nowMs: number): Answer {
  const { code, status: usual } = PROBLEMS[error];
  const status = options.status ?? usual;
  const data = { code, msg: message, error, error_description: message };
  // RFC 9110, section 11.6.1: a 401 names the scheme that is asked for.
  const challenge: Answer['headers'] = status === 401 ? { 'www-authenticate': 'MAC' } : {};
  return { status, body: envelope(false, data, nowMs), headers: { ...challenge, ...options.headers } };
}

const JSON_TYPE = 'application/json;charset=utf-8';

export function send(res: ServerResponse, { status, body, contentType = JSON_TYPE, headers }: Answer): void {
  const all = [
    ...['content-type', contentType, 'content-length', String(Buffer.byteLength(body))],
    ...['cache-control', 'no-store'],
  ];
  if (headers) for (const [name, value] of Object.entries(headers)) all.push(name, value);
  res.writeHead(status, all);
  res.end(body);
}
