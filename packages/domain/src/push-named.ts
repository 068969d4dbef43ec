import { checked } from './checked';
import { InvalidInput } from './invalid-input';
import { namedPushBodySchema } from './push-fields';
import { parsePushRequest, type PushRequest, type PushRequestContext } from './push-request';
import { withoutNulls } from './wire-values';

/** What a list of the body holds, as installations call it. */
const LISTS = [
  ['installation_ids', 'installationId'],
  ['object_ids', 'objectId'],
] as const;

const namesSchema = namedPushBodySchema.pick({ installation_ids: true, object_ids: true });

/**
 * Parses the body of `POST /1.1/push/installations`: a push to installations that the sender names. Throws `InvalidInput`
 * naming the field.
 */
export function parseNamedPush(input: unknown, context: PushRequestContext): PushRequest {
  const { installation_ids: installations, object_ids: objects, ...push } = withoutNulls(input);
  const fields = checked(namesSchema, { installation_ids: installations, object_ids: objects });
  const [named, ...more] = LISTS.flatMap(([list, column]) => (fields[list] ? [{ column, values: fields[list] }] : []));
  if (!named || more.length > 0)
    throw new InvalidInput('required-field', 'one of installation_ids and object_ids is required, and not both');
  const other = ['where', 'channels', 'cql'].find((field) => Object.hasOwn(push, field));
  if (other !== undefined)
    throw new InvalidInput('invalid-query', `${other}: excludes installation_ids and object_ids`);
  return parsePushRequest({ ...push, where: { [named.column]: { $in: [...new Set(named.values)] } } }, context);
}
