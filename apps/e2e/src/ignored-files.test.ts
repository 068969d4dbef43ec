import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOCUMENTS, ROOT } from './testing/document-examples';

/** Files with keys, credentials, a password or devices, by the options and redirections that name them. */
const KEPT =
  /(?:> *|--init |--out |backup.rdb |--keys-file |--(?:password-)?file (?:- < )?|--app-file )(\w[\w.-]*\.(?:env|json|jsonl|rdb|txt))\b/g;

const named = new Set(
  DOCUMENTS.flatMap((page) => [...readFileSync(join(ROOT, page), 'utf8').matchAll(KEPT)].map(([, name = '']) => name)),
);

test('what readers write into the folder of the repository, as the pages tell them, is nothing that git adds', () => {
  expect([...named]).toEqual(
    expect.arrayContaining(['pushfleet.env', 'app.json', 'keys.json', 'hms.json', 'backup.rdb', 'devices.jsonl']),
  );
  const folder = mkdtempSync(join(tmpdir(), 'ignored-'));
  try {
    execFileSync('git', ['init', '--quiet', folder]);
    copyFileSync(join(ROOT, '.gitignore'), join(folder, '.gitignore'));
    const asked = { cwd: folder, input: [...named].join('\n'), encoding: 'utf8' } as const;
    const ignored = execFileSync('git', ['check-ignore', '--stdin'], asked).trim().split('\n');
    expect([...named].filter((name) => !ignored.includes(name))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
