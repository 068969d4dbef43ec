import { connect } from 'node:tls';
import { MustCorrect } from './must-correct';
import type { RedisAddress } from './redis-speaks-tls';
import type { RedisTls } from './redis-tls';

/** Of `node:tls`, for a certificate whose authority is not known. */
const UNKNOWN_AUTHORITY = new Set([
  ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
  ...['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_SIGNATURE_FAILURE', 'CERT_UNTRUSTED'],
]);

const OUT_OF_TIME = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

/** Alerts of the server about the certificate of this process, or about its absence. */
const CLIENT_CERTIFICATE =
  /^ERR_SSL_(?:TLSV\d+|SSLV3)_ALERT_(?:[A-Z_]*CERTIFICATE[A-Z_]*|UNKNOWN_CA|HANDSHAKE_FAILURE)$/;

/** A server that wants a certificate may close before its reason is read. */
const CLOSED = new Set(['ECONNRESET', 'EPIPE']);

/** The alert comes within a trip of the handshake. */
const ALERT_MS = 1000;

export interface TlsAddress extends RedisAddress {
  readonly tls: RedisTls;
}

/** One line for a Redis that TLS keeps this process from; `undefined` for other errors. */
export async function redisTlsRefused(error: unknown, address: TlsAddress): Promise<MustCorrect | undefined> {
  const told = reasonOf(error);
  const cause = CLOSED.has(told.code) ? ((await alertOf(address)) ?? told) : told;
  const line = lineFor(cause, address);
  return line === undefined ? undefined : new MustCorrect(line, { cause: error });
}

interface Told {
  readonly code: string;
  readonly reason?: string;
}

/** A cluster that asked all of its nodes keeps the reason of the last one. */
function reasonOf(error: unknown): Told {
  const { code = '', reason, lastNodeError } = (error ?? {}) as Partial<Told> & { lastNodeError?: unknown };
  if (lastNodeError !== undefined && lastNodeError !== error) return reasonOf(lastNodeError);
  return { code, ...(reason === undefined ? {} : { reason }) };
}

function lineFor({ code, reason = '' }: Told, { at, tls }: TlsAddress): string | undefined {
  if (UNKNOWN_AUTHORITY.has(code))
    return `REDIS_TLS_CA_FILE: Redis at ${at} shows a certificate that ${
      tls.ca === undefined ? 'no public authority' : 'no authority of this file'
    } has signed (${code}): name the file of the one that has`;
  if (OUT_OF_TIME.has(code))
    return `REDIS_URL: the certificate of Redis at ${at}, or of its authority, has run out or does not hold yet (${code}): renew it there`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `REDIS_URL: the certificate of Redis at ${at} is made for other names (${reason}): use one of them, or renew it for this one`;
  if (CLIENT_CERTIFICATE.test(code))
    return `REDIS_TLS_CERT_FILE: Redis at ${at} ${
      tls.cert === undefined ? 'wants a certificate, and none is set' : 'does not take this certificate'
    } (${code.replace(/^ERR_SSL_/, '')}): name one that its authority has signed, and its key in REDIS_TLS_KEY_FILE`;
  return undefined;
}

/** Who writes nothing is told the reason before the connection ends. */
function alertOf({ host, port, tls }: TlsAddress): Promise<Told | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, ...tls });
    const settle = (told?: Told): void => {
      socket.destroy();
      resolve(told);
    };
    socket.setTimeout(ALERT_MS, () => settle());
    socket.once('error', (error: NodeJS.ErrnoException) => settle({ code: error.code ?? '' }));
    socket.once('close', () => settle());
    socket.resume();
  });
}
