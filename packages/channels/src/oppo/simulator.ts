import {
  DeviceDesk,
  jsonAnswer,
  openSimulator,
  SIMULATOR_SECRET,
  StrictRules,
  type MakeSimulator,
  type SimulatorAnswer,
  type SimulatorRequest,
  type WrongAnswers,
} from '@pushfleet/channel-kit/testing';
import { AUTH_PATH, BROADCAST_PATH, SAVE_PATH, UNICAST_BATCH_PATH, UNICAST_PATH } from './endpoints';
import { Refusal, refusable } from './testing/answers';
import { APP_ID, Messages } from './testing/messages';
import { STRICT, type Strict } from './testing/notification';
import { Tokens } from './testing/tokens';

export const SIMULATOR_PROFILE = { appKey: 'sim-app', masterSecret: SIMULATOR_SECRET };

export const makeSimulator: MakeSimulator = ({ now }) => {
  const vendor = openVendor(now);
  return openSimulator({
    desk: vendor.desk,
    strict: vendor.strict,
    tokens: vendor.tokens,
    handles: (path) => path.startsWith('/server/v1/'),
    answer: (request) => refusable(() => serve(vendor, request)),
    wrongAnswers: (path) => (path === AUTH_PATH ? TROUBLE : { ...TROUBLE, ...REFUSED }),
    receipt: (kind, sent) => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([
        {
          messageId: sent.messageId,
          appId: APP_ID,
          taskId: sent.messageId,
          registrationIds: sent.registrationIds.join(','),
          eventTime: String(now()),
          param: sent.pushId,
          eventType: EVENTS[kind],
        },
      ]),
    }),
  });
};

/** The vendor reports no clicks. */
const EVENTS = {
  delivered: 'push_arrive',
  'registration-gone': 'regid_invalid',
  clicked: 'sim_event_without_meaning',
  unknown: 'sim_event_without_meaning',
} as const;

/** To any call. */
const TROUBLE: WrongAnswers = {
  'http-5xx': { status: 503, contentType: 'text/html', body: '<html>Service Unavailable</html>' },
  throttled: jsonAnswer({ code: -2, message: 'Service in Flow Control' }),
  garbage: { status: 200, contentType: 'application/json', body: '{"code":0,"message":"Succ' },
};

/** To calls that carry a token. */
const REFUSED: WrongAnswers = {
  'token-expired': jsonAnswer({ code: 11, message: 'Invalid AuthToken' }),
  quota: jsonAnswer({ code: 33, message: 'The number of messages exceeds the daily limit' }),
};

type Serve = (form: URLSearchParams, appKey: string) => SimulatorAnswer;

interface Vendor {
  readonly desk: DeviceDesk;
  readonly strict: Strict;
  readonly tokens: Tokens;
  readonly routes: Readonly<Record<string, Serve>>;
}

function openVendor(now: () => number): Vendor {
  let serial = 0;
  const nextId = (kind: string): string => {
    serial += 1;
    return `${kind}${serial.toString(36)}-${now().toString(36)}`;
  };
  const desk = new DeviceDesk();
  const strict: Strict = new StrictRules(STRICT);
  const messages = new Messages(nextId, desk, strict);
  return {
    desk,
    strict,
    tokens: new Tokens(now, nextId),
    routes: {
      [UNICAST_PATH]: (form, appKey) => messages.unicast(form, appKey),
      [UNICAST_BATCH_PATH]: (form, appKey) => messages.unicastBatch(form, appKey),
      [SAVE_PATH]: (form, appKey) => messages.save(form, appKey),
      [BROADCAST_PATH]: (form, appKey) => messages.broadcast(form, appKey),
    },
  };
}

function serve({ tokens, routes }: Vendor, request: SimulatorRequest): SimulatorAnswer {
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
  if (request.method !== 'POST' || !isForm) throw new Refusal(12, 'Http Action Not Allowed');
  const form = new URLSearchParams(request.body);
  if (request.path === AUTH_PATH) return tokens.authenticate(form);
  const route = routes[request.path];
  if (!route) throw new Refusal(20, 'Invalid Method');
  return route(form, tokens.appOf(form.get('auth_token') ?? request.headers['auth_token']));
}
