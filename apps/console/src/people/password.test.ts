import { scryptSync } from 'node:crypto';
import { LIMITS } from '@pushfleet/domain';
import { openPasswords } from './password';

const PASSWORD = 'a sentence that is easy to keep';

it('knows a password again, however its letters are typed, and no other', async () => {
  const passwords = openPasswords();
  const stored = await passwords.hash('ein Satz mit Kleinst\u00e4dten');
  expect(stored).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  expect(await passwords.isRight('ein Satz mit Kleinsta\u0308dten', stored)).toBe(true);
  expect(await passwords.isRight('ein Satz mit Kleinstadten', stored)).toBe(false);
  expect(await passwords.isRight('', undefined)).toBe(false);
});

it('salts each, and reads what was made at another cost', async () => {
  const passwords = openPasswords();
  expect(await passwords.hash(PASSWORD)).not.toBe(await passwords.hash(PASSWORD));
  const key = scryptSync(PASSWORD, 'salt', 32, { N: 1024, r: 8, p: 16 }).toString('base64url');
  const salt = Buffer.from('salt').toString('base64url');
  expect(await passwords.isRight(PASSWORD, `scrypt$1024$8$16$${salt}$${key}`)).toBe(true);
});

it('lets a few wait, and sends the others away', async () => {
  const passwords = openPasswords();
  const asked = Array.from({ length: LIMITS.signInsWaiting.value + 5 }, () =>
    passwords.isRight('x', 'scrypt$2$1$1$AAAA$AAAA').then(
      () => 'judged',
      (error: { readonly problem?: string }) => error.problem,
    ),
  );
  const answers = await Promise.all(asked);
  expect(answers.filter((answer) => answer === 'too-many-calls')).toHaveLength(5);
  expect(await passwords.isRight('x', 'scrypt$2$1$1$AAAA$AAAA')).toBe(false);
});
