import { z } from 'zod';
import { checked } from '../checked';
import { LIMITS } from '../limits';
import { withoutNulls } from '../wire-values';
import { clientIdsUpTo } from './client-id';

/** The body of a mute, and of its end. */
export const mutesSchema = z.looseObject(
  { client_ids: clientIdsUpTo(LIMITS.mutedClients.value, LIMITS.mutedClients.unit).min(1, { error: 'names nobody' }) },
  { error: 'must be a JSON object' },
);

/** The clients that a body names, each once. */
export const mutedIn = (input: unknown): readonly string[] => [
  ...new Set(checked(mutesSchema, withoutNulls(input)).client_ids),
];
