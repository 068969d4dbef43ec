import { askForToken, ChannelFault, originsOf, type FetchToken } from '@pushfleet/channel-kit';
import { z } from 'zod';
import { CODES, OK_CODE } from './codes';
import { ENDPOINTS, TOKEN_PATH } from './endpoints';
import { type __Name__Profile } from './profile';

/** A token is given up this much before the vendor does. */
const MARGIN_MS = 60_000;

/** The fields that are used, and no others. */
const answerSchema = z.looseObject({
  code: z.union([z.string(), z.int()]).transform(String),
  message: z.string().catch(''),
  token: z.string().min(1).optional(),
  expiresIn: z.number().positive().optional(),
});

/** Title and date of the vendor's document: how it is asked for a token, and how long one lives. */
export const fetchToken: FetchToken<__Name__Profile> = async ({ appId, appSecret }, deps, signal) => {
  const asked = {
    schema: answerSchema,
    isKnown: ({ code }: z.infer<typeof answerSchema>) => code === OK_CODE || Object.hasOwn(CODES, code),
    url: `${originsOf(ENDPOINTS, deps).__NAME___AUTH_URL}${TOKEN_PATH}`,
    headers: { 'content-type': 'application/json; charset=UTF-8' },
    body: JSON.stringify({ appId, appSecret }),
  };
  const { code, message, token, expiresIn } = await askForToken(asked, deps, signal);
  if (code !== OK_CODE) throw refusal(code, message);
  if (token === undefined || expiresIn === undefined)
    throw new ChannelFault('vendor-error', '__name__: no access token in the answer');
  return { value: token, expiresAt: deps.now() + expiresIn * 1000 - MARGIN_MS };
};

function refusal(code: string, message: string): ChannelFault {
  const row = CODES[code];
  const fault = row && 'fault' in row ? row.fault : 'unrecognised-answer';
  return new ChannelFault(fault, `no token: ${row?.words ?? `code ${code}`}`, {
    vendorCode: code,
    vendorMessage: message.slice(0, 200),
  });
}
