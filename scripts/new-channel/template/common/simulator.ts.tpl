import {
  brokenAnswer,
  codePoints,
  DeviceDesk,
  fieldsOf,
  isFilledText,
  isIntegerIn,
  jsonAnswer,
  openSimulator,
  parseFields,
  serverErrorPage,
  SIMULATOR_SECRET,
  type Fields,
  type MakeSimulator,
  type SimulatorAnswer,
  type SimulatorRequest,
} from '@pushfleet/channel-kit/testing';
import { SEND_PATH, TOKEN_PATH } from './endpoints';
import { openTokens, tokenIn } from './testing/tokens';

/** A complete profile that this vendor takes for right. */
export const SIMULATOR_PROFILE = { appId: '10001', appSecret: SIMULATOR_SECRET, category: 'IM' };

const MAX_TOKENS = 500;
const MAX_TTL_SECONDS = 7 * 86_400;
const MAX_TITLE = 100;

export const makeSimulator: MakeSimulator = ({ now }) => {
  const tokens = openTokens(now);
  const desk = new DeviceDesk();
  let serial = 0;

  function receive({ headers, body }: SimulatorRequest): SimulatorAnswer {
    const owner = tokens.ownerOf(tokenIn(headers));
    if (typeof owner === 'string') return EXPIRED;
    const fields = parseFields(body);
    const problem = fields === undefined ? 'not a JSON object' : problemOf(fields);
    if (fields === undefined || problem !== undefined) return refuse(2001, problem);
    serial += 1;
    return deliver(desk, fields, `__name__-${now()}-${serial}`);
  }

  return openSimulator({
    desk,
    tokens,
    handles: (path) => path === TOKEN_PATH || path === SEND_PATH,
    answer: (request) => (request.path === TOKEN_PATH ? tokens.grant(request) : receive(request)),
    wrongAnswers: (path) => (path === TOKEN_PATH ? TROUBLE : { ...TROUBLE, ...REFUSED }),
    receipt: (kind, { pushId, registrationIds }) => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        events: registrationIds.map((token) => ({ token, tag: pushId, event: EVENTS[kind], at: now() })),
      }),
    }),
  });
};

/** What the vendor refuses, with the document that says so; whatever nobody documents is taken. */
function problemOf({ tokens, ttl, ...message }: Fields): string | undefined {
  if (!Array.isArray(tokens) || tokens.length === 0 || !tokens.every(isFilledText)) return 'tokens';
  if (tokens.length > MAX_TOKENS) return 'too many tokens';
  return isIntegerIn(ttl, 1, MAX_TTL_SECONDS) ? problemOfMessage(message) : 'ttl';
}

function problemOfMessage({ notification, data }: Fields): string | undefined {
  if (notification === undefined) return fieldsOf(data) === undefined ? 'data' : undefined;
  const shown = fieldsOf(notification);
  const { title, body } = shown ?? {};
  if (!isFilledText(title) || !isFilledText(body)) return 'notification';
  return codePoints(title) <= MAX_TITLE ? undefined : 'title';
}

function deliver(desk: DeviceDesk, { tokens, tag, ...message }: Fields, messageId: string): SimulatorAnswer {
  const { taken: registrationIds, gone, malformed, left } = desk.sort(tokens as readonly string[]);
  if (registrationIds.length === 0) return refuse(4001, 'none of the tokens is registered');
  const answer = jsonAnswer({ code: 0, messageId, refused: [...gone, ...malformed, ...left] });
  return { ...answer, sent: { pushId: String(tag ?? ''), registrationIds, messageId, message } };
}

const refuse = (code: number, message = ''): SimulatorAnswer => jsonAnswer({ code, message });

const EXPIRED = refuse(1001, 'access token invalid or expired');

/** To any call. */
const TROUBLE = {
  'http-5xx': serverErrorPage(503, 'Service Unavailable'),
  throttled: jsonAnswer({ code: 3001, message: 'sending too fast' }, 429),
  garbage: brokenAnswer('{"code":0,"mess'),
};

/** To calls that carry a token. */
const REFUSED = { 'token-expired': EXPIRED, quota: refuse(3002, 'quota of the day used up') };

/** What the vendor reports; a kind that it has no word for has the word of `unknown`. */
const EVENTS = {
  delivered: 'delivered',
  clicked: 'clicked',
  'registration-gone': 'unregistered',
  unknown: 'seen-by-nobody',
} as const;
