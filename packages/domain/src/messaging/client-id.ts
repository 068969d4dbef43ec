import { z } from 'zod';
import { LIMITS, writeJson } from '../limits';

const MAX = LIMITS.clientIdCharacters.value;
export const CLIENT_ID_PATTERN = `^[A-Za-z_-][A-Za-z0-9_-]{0,${MAX - 1}}$`;
const CLIENT_ID = new RegExp(CLIENT_ID_PATTERN);

export const isClientId = (text: string): boolean => CLIENT_ID.test(text);

/** Clients of the hosted service know the name that their server gives this error. */
export const clientIdRule = (input: unknown): string =>
  `INVALID_LOGIN: ${shortened(writeJson(typeof input === 'string' ? input : null))} is not a client id, which has 1 to ${MAX} letters, digits, _ and - and does not begin with a digit`;

const shortened = (text: string): string => (text.length <= 80 ? text : `${text.slice(0, 80)}…`);

export const clientIdOf = z
  .string({ error: 'must be a string' })
  .refine(isClientId, { error: ({ input }) => clientIdRule(input) })
  .meta({ pattern: CLIENT_ID_PATTERN });

/** Client ids, each of them once or several times. */
export const clientIdsUpTo = (max: number, unit: string) =>
  z.array(clientIdOf, { error: 'must be an array of client ids' }).max(max, { error: `at most ${max} ${unit}` });
