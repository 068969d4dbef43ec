import { once } from 'node:events';
import { connect } from 'node:net';

export interface RecordedRequest {
  /** `METHOD /path?query`. */
  readonly line: string;
  readonly headers: readonly string[];
  readonly body?: string;
}

export interface RecordedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends a request byte for byte as it was recorded; only host and length are of today. */
export async function replay(url: string, { line, headers, body }: RecordedRequest): Promise<RecordedAnswer> {
  const { hostname, port, host } = new URL(url);
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const head = [`${line} HTTP/1.1`, ...headers, ...length, `Host: ${host}`, 'Connection: close'];
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`);
  await once(socket, 'close');
  return parse(Buffer.concat(chunks).toString());
}

function parse(text: string): RecordedAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [status = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = JSON.parse(text.slice(end + 4)) as Record<string, unknown>;
  return { status: Number(status.split(' ')[1]), headers, body };
}
