import { checkJsonLevels, type Json } from '@pushfleet/domain';
import { isLarge, parseLarge, type BodyLevels } from './parse-large';
import { parseJson } from './read-body';

/** The value of a JSON body that was read whole. Throws `InvalidInput`, and the reason of the signal once it aborts. */
export async function parseBody(body: Buffer, limit: BodyLevels, signal: AbortSignal): Promise<Json> {
  if (isLarge(body)) return parseLarge(body, limit, signal);
  checkJsonLevels(body, limit);
  return parseJson(body.toString('utf8'));
}
