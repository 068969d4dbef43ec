import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Paths of PEM files. */
export interface IssuedCertificate {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Signs certificates for tests, in a directory that goes with it. */
export interface Authority {
  readonly dir: string;
  readonly caFile: string;
  /** For 127.0.0.1 and `localhost`, or for what `names` says; with `days` below zero it has run out. */
  issue(name: string, how?: { readonly days?: number; readonly names?: string }): Promise<IssuedCertificate>;
  close(): Promise<void>;
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
const LOOPBACK = 'DNS:localhost,IP:127.0.0.1';

export async function openAuthority(): Promise<Authority> {
  const dir = await mkdtemp(join(tmpdir(), 'pushfleet-authority-'));
  const openssl = (...args: readonly string[]): Promise<unknown> => run('openssl', args, { cwd: dir });
  await openssl('req', '-x509', ...NEW_KEY, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=test', '-days', '2');
  return {
    dir,
    caFile: join(dir, 'ca.crt'),
    async issue(name, { days = 1, names = LOOPBACK } = {}) {
      const [key, request, cert, namesFile] = [`${name}.key`, `${name}.csr`, `${name}.crt`, `${name}.names`];
      await writeFile(join(dir, namesFile), `subjectAltName=${names}\n`);
      await openssl('req', ...NEW_KEY, '-keyout', key, '-out', request, '-subj', `/CN=${name}`);
      const by = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', String(days), '-extfile', namesFile];
      await openssl('x509', '-req', '-in', request, ...by, '-out', cert);
      return { certFile: join(dir, cert), keyFile: join(dir, key) };
    },
    close: () => rm(dir, { recursive: true, force: true }),
  };
}
