import { readJson } from '@pushfleet/domain';
import { UsageError } from './errors';
import type { Io } from './io';
import { readJsonObject } from './json-input';

/** What the options of a command say of a push; the file comes first, and what is given beside it stands instead. */
export interface PushWish {
  readonly data?: string;
  readonly text?: string;
  readonly title?: string;
  readonly where?: string;
  readonly channels?: readonly string[];
  readonly expiresIn?: number;
  readonly at?: string;
}

/** The body of a push, as the push API takes it; that API judges everything but whether there is a message at all. */
export async function pushBody(io: Io, wish: PushWish): Promise<Record<string, unknown>> {
  const { data, text, title, where, channels, expiresIn, at } = wish;
  const body = data === undefined ? {} : await readJsonObject(io, data);
  const message = { ...asObject(body['data']), ...given('alert', text), ...given('title', title) };
  if (Object.keys(message).length === 0)
    throw new UsageError('there is no message: give --text, or --data with a file');
  return {
    ...body,
    data: message,
    ...given('where', where === undefined ? undefined : conditionOf(where)),
    ...given('channels', channels),
    ...given('expiration_interval', expiresIn === undefined ? undefined : Math.max(1, Math.round(expiresIn / 1000))),
    ...given('push_time', at),
  };
}

const given = (name: string, value: unknown): Record<string, unknown> => (value === undefined ? {} : { [name]: value });

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

function conditionOf(text: string): unknown {
  try {
    return readJson(text);
  } catch (cause) {
    throw new UsageError(`--where: is not JSON: ${JSON.stringify(text.slice(0, 80))}`, { cause });
  }
}
