import { connect as connectPlainly, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { MustCorrect } from './must-correct';
import { isTlsUrl } from './redis-tls';
import { isSentinelUrl } from './sentinel-address';

export interface RedisAddress {
  /** As operators know it. */
  readonly at: string;
  readonly host: string;
  readonly port: number;
}

/** A Redis without TLS waits for the end of what it takes for a command; one with TLS ends a connection that speaks none. */
const NOT_UNDERSTOOD_CODE = /^(?:ETIMEDOUT|ECONNRESET|EPIPE|ERR_SSL_\w+)$/;
const NOT_UNDERSTOOD = /^(?:Connection is closed\.|Unknown RESP type|Protocol error)/;

/** An alert is an answer in TLS. */
const ALERT = /^ERR_SSL_\w+_ALERT_/;

const ANSWER_MS = 1000;

/** One line for a Redis that speaks no TLS where the URL wants it, or wants it where the URL has none. */
export async function tlsMismatch(error: Error, url: string, address: RedisAddress): Promise<MustCorrect | undefined> {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!NOT_UNDERSTOOD_CODE.test(code) && !NOT_UNDERSTOOD.test(error.message)) return undefined;
  const kind = isSentinelUrl(url) ? '+sentinel' : '';
  const { at } = address;
  const line = isTlsUrl(url)
    ? (await speaksPlainly(address)) &&
      `REDIS_URL: Redis at ${at} does not speak TLS: begin the URL with redis${kind}://, or switch TLS on there`
    : (await speaksTls(address)) && `REDIS_URL: Redis at ${at} speaks TLS only: begin the URL with rediss${kind}://`;
  return line === false ? undefined : new MustCorrect(line, { cause: error });
}

/** Without a password, too, the first character tells. */
function speaksPlainly({ host, port }: RedisAddress): Promise<boolean> {
  const socket = connectPlainly({ host, port });
  socket.once('connect', () => socket.write('PING\r\n'));
  return answerOf(socket, (settle) => socket.once('data', (data) => settle(/^[+-]/.test(data.toString('latin1')))));
}

/** Whose certificate it is does not matter here: nothing is said. */
function speaksTls({ host, port }: RedisAddress): Promise<boolean> {
  const socket = connect({ host, port, rejectUnauthorized: false });
  return answerOf(socket, (settle) => {
    socket.once('secureConnect', () => settle(true));
    socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => settle(ALERT.test(code)));
  });
}

function answerOf(socket: Socket, listen: (settle: (answer: boolean) => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    listen(settle);
    socket.setTimeout(ANSWER_MS, () => settle(false));
    socket.once('error', () => settle(false));
    socket.once('close', () => settle(false));
  });
}
