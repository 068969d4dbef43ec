import { request, type Agent, type IncomingMessage } from 'node:http';
import { FUZZ_SEED } from './fuzz-seed';
import { type HostileRequest } from './hostile-requests';

export interface Reply {
  readonly status: number;
  /** It says when to try again: something that the service needs does not answer. */
  readonly isPassing: boolean;
  readonly type: string;
  readonly text: string;
}

/** A service says by itself, after half of it, that it has no answer. */
const PATIENCE_MS = 60_000;
const CUT_OFF_BYTES = 16 * 1024;
const CUT_OFF: Reply = { status: 0, isPassing: false, type: '', text: '' };
const isCutOff = ({ code = '' }: NodeJS.ErrnoException): boolean => ['ECONNRESET', 'EPIPE'].includes(code);

/** Rejects when the request is not answered in time. */
export function sendHostile(url: string, agent: Agent | false, hostile: HostileRequest): Promise<Reply> {
  const { method, target: path, headers, body } = hostile;
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const length = body === undefined ? {} : { 'content-length': String(body.byteLength) };
    const options = { agent, hostname, port, method, path, headers: { ...headers, ...length } };
    const fail = (error: NodeJS.ErrnoException): void => {
      // A body that is refused before it was sent is cut off; its answer may be lost on the way.
      const isLarge = body !== undefined && body.byteLength > CUT_OFF_BYTES;
      if (isLarge && isCutOff(error)) resolve(CUT_OFF);
      // A kept connection may be closed while nobody uses it; on one of its own the request has to be answered.
      else if (req.reusedSocket && error.code === 'ECONNRESET') sendHostile(url, false, hostile).then(resolve, reject);
      else reject(new Error(describeHostile(hostile, error.message)));
    };
    const req = request(options, (res) => void read(res).then(resolve, fail));
    req.setTimeout(PATIENCE_MS, () => req.destroy(new Error('no answer in time')));
    req.on('error', fail);
    req.end(body);
  });
}

async function read(res: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = [];
  for await (const chunk of res) chunks.push(chunk as Buffer);
  const isPlain = res.headers['content-encoding'] === undefined;
  const text = isPlain ? Buffer.concat(chunks).toString() : '';
  const status = res.statusCode ?? 0;
  const isPassing = status >= 500 && res.headers['retry-after'] !== undefined;
  return { status, isPassing, type: res.headers['content-type'] ?? '', text };
}

/** A failure with the request and the seed, so that it can be made again. */
export const describeHostile = ({ method, target, headers, body }: HostileRequest, why: string): string =>
  `${why}\nFUZZ_SEED=${FUZZ_SEED}\n${method} ${target}\n${JSON.stringify(headers)}\n${body ? Buffer.from(body).toString().slice(0, 3000) : ''}`;
