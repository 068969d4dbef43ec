import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { MustCorrect } from './must-correct';

/** The variables of a service that say by which files TLS with Redis goes. */
export interface RedisTlsEnvironment {
  readonly REDIS_URL: string;
  readonly REDIS_TLS_CA_FILE?: string | undefined;
  readonly REDIS_TLS_CERT_FILE?: string | undefined;
  readonly REDIS_TLS_KEY_FILE?: string | undefined;
}

/** What stands in the files, as `node:tls` takes it. */
export interface RedisTls {
  /** Absent: the public authorities. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

type FileVariable = 'REDIS_TLS_CA_FILE' | 'REDIS_TLS_CERT_FILE' | 'REDIS_TLS_KEY_FILE';

const VARIABLES = ['REDIS_TLS_CA_FILE', 'REDIS_TLS_CERT_FILE', 'REDIS_TLS_KEY_FILE'] as const;

/** All authorities that an operating system trusts fit into a quarter of it. */
const MAX_BYTES = 1024 * 1024;

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export const isTlsUrl = (url: string): boolean => /^rediss(?:\+sentinel)?:/.test(url.trim());

/** Throws what has to be corrected, as one line that names the variable. */
export function readRedisTls(env: RedisTlsEnvironment): RedisTls | undefined {
  const given = VARIABLES.find((name) => env[name] !== undefined);
  if (given === undefined) return undefined;
  if (!isTlsUrl(env.REDIS_URL))
    throw new MustCorrect(`${given}: is set, and REDIS_URL is without TLS: begin it with rediss://, or unset ${given}`);
  const { REDIS_TLS_CA_FILE: caFile } = env;
  return { ...(caFile === undefined ? {} : { ca: readAuthorities(caFile) }), ...readOwn(env) };
}

function readAuthorities(path: string): string {
  const text = readPem('REDIS_TLS_CA_FILE', path);
  const certificates = certificatesIn('REDIS_TLS_CA_FILE', path, text);
  // Of a bundle, some may have run out.
  if (!certificates.some(isCurrent)) throw outdated('REDIS_TLS_CA_FILE', path, certificates);
  return text;
}

/** The certificate by which Redis knows this process, with its key. */
function readOwn(env: RedisTlsEnvironment): RedisTls {
  const { REDIS_TLS_CERT_FILE: certFile, REDIS_TLS_KEY_FILE: keyFile } = env;
  if (certFile === undefined && keyFile === undefined) return {};
  if (certFile === undefined) throw new MustCorrect('REDIS_TLS_CERT_FILE: is required beside REDIS_TLS_KEY_FILE');
  if (keyFile === undefined) throw new MustCorrect('REDIS_TLS_KEY_FILE: is required beside REDIS_TLS_CERT_FILE');
  const cert = readPem('REDIS_TLS_CERT_FILE', certFile);
  const certificates = certificatesIn('REDIS_TLS_CERT_FILE', certFile, cert);
  const [own] = certificates;
  if (!own || !isCurrent(own)) throw outdated('REDIS_TLS_CERT_FILE', certFile, certificates);
  const key = readPem('REDIS_TLS_KEY_FILE', keyFile);
  if (!own.checkPrivateKey(keyIn(keyFile, key)))
    throw new MustCorrect(
      `REDIS_TLS_KEY_FILE: the key in ${keyFile} is not the one of the certificate in ${certFile} (REDIS_TLS_CERT_FILE)`,
    );
  return { cert, key };
}

function readPem(name: FileVariable, path: string): string {
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES) throw new MustCorrect(`${name}: ${path} has ${size} bytes; at most ${MAX_BYTES} are read`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof MustCorrect) throw error;
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new MustCorrect(`${name}: ${path} cannot be read (${code}): name a PEM file that this process may read`, {
      cause: error,
    });
  }
}

function certificatesIn(name: FileVariable, path: string, text: string): readonly X509Certificate[] {
  try {
    const certificates = (text.match(PEM) ?? []).map((pem) => new X509Certificate(pem));
    if (certificates.length > 0) return certificates;
  } catch (error) {
    throw new MustCorrect(`${name}: ${path} holds a certificate that cannot be read`, { cause: error });
  }
  throw new MustCorrect(`${name}: ${path} holds no certificate: it must be PEM, with -----BEGIN CERTIFICATE-----`);
}

function keyIn(path: string, text: string): ReturnType<typeof createPrivateKey> {
  try {
    return createPrivateKey(text);
  } catch (error) {
    throw new MustCorrect(
      `REDIS_TLS_KEY_FILE: ${path} holds no private key that can be used: it must be PEM, and without a passphrase`,
      { cause: error },
    );
  }
}

const isCurrent = ({ validFrom, validTo }: X509Certificate): boolean =>
  Date.parse(validFrom) <= Date.now() && Date.now() < Date.parse(validTo);

function outdated(name: FileVariable, path: string, [first]: readonly X509Certificate[]): MustCorrect {
  const { validFrom = '', validTo = '' } = first ?? {};
  return new MustCorrect(`${name}: the certificate in ${path} holds from ${validFrom} to ${validTo}: renew it`);
}
