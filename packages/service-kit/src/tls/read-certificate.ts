import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { ConfigError } from '../config-error';

/** The variables of a service whose public port may speak TLS. */
export interface TlsFiles {
  readonly TLS_CERT_FILE?: string | undefined;
  readonly TLS_KEY_FILE?: string | undefined;
}

/** What stands in the files, as `node:tls` takes it. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

type Variable = keyof TlsFiles;

/** No chain and no key is longer; what is, is another file. */
const MAX_BYTES = 256 * 1024;

const FIRST_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/;

/** Undefined where none is set. Throws a `ConfigError` whose line names the variable, what was found and what to do. */
export function readCertificate({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }: TlsFiles): Certificate | undefined {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined) throw refused('TLS_CERT_FILE', 'is required beside TLS_KEY_FILE');
  if (keyFile === undefined) throw refused('TLS_KEY_FILE', 'is required beside TLS_CERT_FILE');
  const cert = readPem('TLS_CERT_FILE', certFile);
  const own = certificateIn(certFile, cert);
  const key = readPem('TLS_KEY_FILE', keyFile);
  if (!own.checkPrivateKey(keyIn(keyFile, key)))
    throw refused(
      'TLS_KEY_FILE',
      `the key in ${keyFile} is not that of the first certificate in ${certFile}: name its own`,
    );
  requireUsable(certFile, { cert, key });
  return { cert, key, endsAt: Date.parse(own.validTo) };
}

const refused = (name: Variable, problem: string, options?: ErrorOptions): ConfigError =>
  new ConfigError([`${name}: ${problem}`], options);

function readPem(name: Variable, path: string): string {
  try {
    const { size } = statSync(path);
    if (size <= MAX_BYTES) return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw refused(name, `${path} cannot be read (${code}): name a PEM file that this process may read`, { cause });
  }
  throw refused(name, `${path} has more than ${MAX_BYTES} bytes: name a PEM file`);
}

function certificateIn(path: string, text: string): X509Certificate {
  const [pem] = FIRST_CERTIFICATE.exec(text) ?? [];
  if (pem === undefined)
    throw refused('TLS_CERT_FILE', `${path} holds no certificate: it must be PEM, with -----BEGIN CERTIFICATE-----`);
  const own = parsed(
    () => new X509Certificate(pem),
    'TLS_CERT_FILE',
    `${path} holds a certificate that cannot be read`,
  );
  const { validFrom, validTo } = own;
  const isCurrent = Date.parse(validFrom) <= Date.now() && Date.now() < Date.parse(validTo);
  if (!isCurrent)
    throw refused('TLS_CERT_FILE', `the certificate in ${path} holds from ${validFrom} to ${validTo}: renew it`);
  return own;
}

const keyIn = (path: string, text: string): KeyObject =>
  parsed(
    () => createPrivateKey(text),
    'TLS_KEY_FILE',
    `${path} holds no private key that can be used: it must be PEM, and without a passphrase`,
  );

/** A key that is too short, for instance. */
function requireUsable(path: string, pair: Pick<Certificate, 'cert' | 'key'>): void {
  parsed(() => createSecureContext(pair), 'TLS_CERT_FILE', `${path} holds what TLS does not take: make it anew`);
}

function parsed<T>(parse: () => T, name: Variable, problem: string): T {
  try {
    return parse();
  } catch (cause) {
    throw refused(name, problem, { cause });
  }
}
