import { LIMITS } from '@pushfleet/domain';
import { clientIdSchema, macTokenSchema, userIdSchema, type NewMacToken } from '@pushfleet/store';
import { z } from 'zod';
import { parse } from './http/parse';
import { Problem } from './http/problem';
import type { ConsolePorts } from './ports';
import { newUserOf, newUserSchema, tokenOf, tokenProblem, type NewUser } from './user-input';

/** Each line is judged by itself, so here it is anything. */
export const importSchema = z.strictObject({ lines: z.array(z.unknown()).min(1).max(LIMITS.importUserLines.value) });

const tokenLineSchema = macTokenSchema.extend({ user_id: userIdSchema, client_id: clientIdSchema });

export type ImportedLine = { readonly kind: 'user' | 'token' } | { readonly error: string };

/**
 * Takes over users and tokens, each line for itself; a line taken over before is overwritten by itself. Tokens come
 * after all users of the same portion.
 */
export async function importUsers(
  { store }: Pick<ConsolePorts, 'store'>,
  lines: readonly unknown[],
): Promise<readonly ImportedLine[]> {
  const read = lines.map(readLine);
  const users = await Promise.all(read.map(async (line) => ('user' in line ? putUser(store, line) : undefined)));
  const tokens = await Promise.all(
    read.map(async (line) => ('token' in line ? addToken(store, line.token) : undefined)),
  );
  return read.map((line, i) => users[i] ?? tokens[i] ?? { error: 'error' in line ? line.error : 'was not read' });
}

type ReadLine = NewUser | { readonly token: NewMacToken } | { readonly error: string };

function readLine(line: unknown): ReadLine {
  try {
    if (!isToken(line)) return newUserOf(parse(newUserSchema, line));
    const { user_id: userId, client_id: clientId, ...token } = parse(tokenLineSchema, line);
    return { token: tokenOf({ userId, clientId }, token) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { error: error.message };
  }
}

const isToken = (line: unknown): boolean =>
  typeof line === 'object' && line !== null && ('access_token' in line || 'client_id' in line);

async function putUser({ users }: ConsolePorts['store'], { user, given }: NewUser): Promise<ImportedLine> {
  await users.put(user, given);
  return { kind: 'user' };
}

async function addToken({ clients, macTokens }: ConsolePorts['store'], token: NewMacToken): Promise<ImportedLine> {
  if (!(await clients.has(token.clientId))) return { error: 'client_id: there is no such client' };
  const added = await macTokens.add(token);
  return added === 'added' ? { kind: 'token' } : { error: tokenProblem(added).message };
}
