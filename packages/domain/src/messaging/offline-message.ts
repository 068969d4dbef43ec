import { z } from 'zod';
import { checked } from '../checked';
import { InvalidInput } from '../invalid-input';
import { isJsonObject, type JsonObject } from '../json';
import { readJson } from '../exact-json';
import { LIMITS, nestsDeeper, overLimit, writeJson } from '../limits';
import { chosenIdSchema } from '../push-fields';
import { objectSchema, textSchema, withoutNulls } from '../wire-values';
import { clientIdOf, clientIdsUpTo } from './client-id';

const flag = z.boolean({ error: 'must be a boolean' }).optional();

/** The body of an offline message, once null counts as absent. */
export const offlineMessageSchema = z.looseObject(
  {
    from_client: clientIdOf.describe('Who wrote it; gets no push of it.'),
    offline_clients: clientIdsUpTo(LIMITS.offlineClients.value, LIMITS.offlineClients.unit).describe(
      'Members of the conversation that the chat server could not reach.',
    ),
    message: textSchema.describe(
      `The message itself; it is not delivered. With \`push_data\` at most ${LIMITS.offlineMessageBytes.value} bytes.`,
    ),
    push_data: z
      .union([textSchema, objectSchema], { error: 'must be an object, or the text of one' })
      .optional()
      .describe(
        'What is pushed, as `data` of a push; an object or its text. `_profile` (`dev`, `prod`), `_apns_team_id` and `_notificationChannel` at its top are obeyed and not delivered. Absent: the setting `offlinePush` of the app.',
      ),
    mention_all: flag.describe('Taken, and without effect: a mention alone does not override a mute.'),
    mention_client_ids: clientIdsUpTo(LIMITS.mentionedClients.value, LIMITS.mentionedClients.unit)
      .optional()
      .describe('The same for some.'),
    force: flag.describe('Pushed to those, too, who have muted the conversation.'),
    req_id: chosenIdSchema
      .optional()
      .describe(
        'A message repeated with the same one within five minutes, whatever it says, is not pushed again and gets the first answer.',
      ),
  },
  { error: 'must be a JSON object' },
);

/** What a chat server asks for, checked. */
export interface OfflineMessage {
  readonly from: string;
  /** Each once, without the sender. */
  readonly receivers: readonly string[];
  /** Muted clients get it, too. */
  readonly isForced: boolean;
  readonly pushData?: JsonObject;
  readonly reqId?: string;
}

/** Throws `InvalidInput` naming the field. */
export function parseOfflineMessage(input: unknown): OfflineMessage {
  const fields = checked(offlineMessageSchema, withoutNulls(input));
  const { from_client: from, offline_clients: clients, message, push_data: given, force, req_id: reqId } = fields;
  const bytes = Buffer.byteLength(message) + (given === undefined ? 0 : Buffer.byteLength(textOf(given)));
  if (bytes > LIMITS.offlineMessageBytes.value)
    throw overLimit('offlineMessageBytes', 'message: with push_data it may have');
  const pushData = given === undefined ? undefined : objectIn(given as string | JsonObject);
  return {
    from,
    receivers: [...new Set(clients)].filter((client) => client !== from),
    isForced: force === true,
    ...(pushData === undefined ? {} : { pushData }),
    ...(reqId === undefined ? {} : { reqId }),
  };
}

const textOf = (given: unknown): string => (typeof given === 'string' ? given : writeJson(given));

/** SDKs of the hosted service send the text of an object, REST callers the object. */
function objectIn(given: string | JsonObject): JsonObject {
  const value = typeof given === 'string' ? parsed(given) : given;
  if (isJsonObject(value)) return value;
  throw new InvalidInput('wrong-type', 'push_data: must be an object, or the text of one');
}

function parsed(text: string): unknown {
  if (nestsDeeper(text, LIMITS.jsonLevels.value))
    throw overLimit('jsonLevels', 'push_data: nested too deeply:', 'wrong-type');
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new InvalidInput('wrong-type', 'push_data: is text that is not JSON');
    throw error;
  }
}
