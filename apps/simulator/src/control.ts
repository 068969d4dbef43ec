import { z } from 'zod';
import { FAULT_KINDS, faultOf, type SimulatorRequest } from '@pushfleet/channel-kit/testing';
import { BadRequest, parseOrRefuse } from './bad-request';
import { sendReceipts, unknownChannel } from './send-receipts';
import { type Vendors } from './vendors';

export interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Handler = (vendors: Vendors, request: SimulatorRequest) => unknown;

export const CONTROL_PATH = '/_simulator';

const MAX_DELAY_MS = 600_000;
const MAX_LISTED = 1_000;

const faultSchema = z
  .strictObject({
    channel: z.string(),
    kind: z.enum(FAULT_KINDS),
    share: z.number().gt(0).max(1).optional(),
    count: z.int().min(1).optional(),
    delayMs: z.number().min(0).max(MAX_DELAY_MS).optional(),
    path: z.string().min(1).max(200).optional(),
    body: z.string().min(1).max(200).optional(),
    answer: z.strictObject({ status: z.int().min(200).max(599).default(200), body: z.string() }).optional(),
  })
  .refine(({ kind, answer }) => (kind === 'answer') === (answer !== undefined), {
    path: ['answer'],
    message: 'goes with the kind answer, and with no other',
  })
  .transform(faultOf);

const listSchema = z.object({
  channel: z.string().optional(),
  limit: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform((text) => Math.min(Number(text), MAX_LISTED))
    .default(100),
});

const jsonOf = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw Object.assign(new BadRequest([{ path: '', message: 'the body is not JSON' }]), { cause });
  }
};

const readStats: Handler = (vendors) =>
  Object.fromEntries(vendors.all().map(({ channel, stats }) => [channel, stats.read()]));

const listMessages: Handler = (vendors, { query }) => {
  const { channel, limit } = parseOrRefuse(listSchema, Object.fromEntries(query));
  if (channel !== undefined && vendors.of(channel) === undefined) throw unknownChannel(vendors);
  const results = vendors
    .all()
    .filter((vendor) => channel === undefined || vendor.channel === channel)
    .flatMap(({ log }) => log.newestFirst(limit))
    .sort((a, b) => b.atMs - a.atMs)
    .slice(0, limit)
    .map(({ atMs, sent, ...message }) => ({
      ...message,
      at: new Date(atMs).toISOString(),
      registrationIds: sent.registrationIds,
      pushId: sent.pushId,
      message: sent.message,
    }));
  return { results };
};

const putFault: Handler = (vendors, { body }) => {
  const fault = parseOrRefuse(faultSchema, jsonOf(body));
  if (vendors.of(fault.channel) === undefined) throw unknownChannel(vendors);
  vendors.faults.put(fault);
  return fault;
};

const readStrict: Handler = (vendors) =>
  Object.fromEntries(vendors.all().map(({ channel, simulator }) => [channel, simulator.strict?.list() ?? []]));

const strictSchema = z.strictObject({ channel: z.string(), rules: z.array(z.string()).max(100) });

const putStrict: Handler = (vendors, { body }) => {
  const { channel, rules } = parseOrRefuse(strictSchema, jsonOf(body));
  const vendor = vendors.of(channel);
  if (vendor === undefined) throw unknownChannel(vendors);
  const { strict } = vendor.simulator;
  const unknown = strict?.set(rules) ?? rules;
  if (unknown.length === 0) return strict?.list() ?? [];
  const known = strict?.list().map(({ name }) => name) ?? [];
  throw new BadRequest([{ path: 'rules', message: `${unknown.join(', ')}: must be of ${known.join(', ') || 'none'}` }]);
};

const clearFaults: Handler = (vendors, { query }) => {
  const channel = query.get('channel') ?? undefined;
  if (channel !== undefined && vendors.of(channel) === undefined) throw unknownChannel(vendors);
  vendors.faults.clear(channel);
  return {};
};

const clearAll: Handler = (vendors) => {
  vendors.clear();
  return {};
};

const ROUTES: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  [CONTROL_PATH]: { DELETE: clearAll },
  [`${CONTROL_PATH}/stats`]: { GET: readStats },
  [`${CONTROL_PATH}/messages`]: { GET: listMessages },
  [`${CONTROL_PATH}/faults`]: {
    GET: (vendors) => ({ results: vendors.faults.list() }),
    PUT: putFault,
    DELETE: clearFaults,
  },
  [`${CONTROL_PATH}/strict`]: { GET: readStrict, PUT: putStrict },
  [`${CONTROL_PATH}/receipts`]: { POST: (vendors, { body }) => sendReceipts(vendors, jsonOf(body)) },
};

const problem = (status: number, error: string, more: object = {}): ControlAnswer => ({
  status,
  body: { code: status, error, ...more },
});

/** The simulator's own interface, beside the vendors' paths. */
export async function control(vendors: Vendors, request: SimulatorRequest): Promise<ControlAnswer> {
  const route = Object.hasOwn(ROUTES, request.path) ? ROUTES[request.path] : undefined;
  if (route === undefined) return problem(404, `Nothing at ${request.path}.`);
  const handler = Object.hasOwn(route, request.method) ? route[request.method] : undefined;
  if (handler === undefined) {
    const allow = Object.keys(route).join(', ');
    return { ...problem(405, `Use ${allow} here.`), headers: { allow } };
  }
  try {
    return { status: 200, body: await handler(vendors, request) };
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    return problem(400, error.message, { details: error.details });
  }
}
