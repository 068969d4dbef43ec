import { ReceiptRefused, type RawReceipt, type ReceiptAnswer, type VendorChannel } from '@pushfleet/channel-kit';
import { LIMITS } from '@pushfleet/domain';
import { type Producer, type ReceiptsJob } from '@pushfleet/queues';
import { isSameSecret } from '@pushfleet/service-kit';
import { Rounds, type ProfileRef, type ProfileStore, type Store, type StoredProfile } from '@pushfleet/store';
import { type IncomingHttpHeaders } from 'node:http';
import { openRateLimit, paramOf, type Endpoint, type HttpRequest } from '@pushfleet/http-edge';
import { Refusal } from '../http/problem';
import { callbacksIn, checkReceiptEntries, receiptJobs } from './receipt-jobs';
import { type CallbackOutcome, type IngressMetrics } from '../metrics';

export interface ReceiptPorts {
  readonly profiles: Pick<ProfileStore, 'get'>;
  readonly channels: Readonly<Record<string, VendorChannel>>;
  readonly signatures: Store['receiptSignatures'];
  readonly requireRoom: Store['requireReceiptRoom'];
  readonly receipts: Pick<Producer<ReceiptsJob>, 'add'>;
  readonly metrics: Pick<IngressMetrics, 'calledBack'>;
  readonly now: () => number;
}

/** A vendor that has shown the key of a profile. */
interface Reporter {
  readonly ref: ProfileRef;
  readonly profile: StoredProfile;
  readonly channel: VendorChannel;
}

/** Takes vendors' reports: checked against the profile named in the path, queued, answered in the vendor's manner. */
export function receiptsEndpoint(ports: ReceiptPorts): Endpoint<Reporter> {
  const { metrics } = ports;
  const rounds = new Rounds();
  const isWithin = openRateLimit(MAX_CALLBACKS_PER_SECOND, ports.now);
  const requireWithin = (reporter: Reporter, callbacks: number): void => {
    if (isWithin(accountOf(reporter), callbacks)) return;
    metrics.calledBack(reporter.channel.name, 'limited');
    throw new Refusal('too-many-calls', 'Too many callbacks of one profile; report again in a moment.', 1);
  };
  return {
    route: 'receipts',
    maxBodyBytes: LIMITS.receiptBytes.value,
    isRaw: true,
    async admit(req) {
      const reporter = await reporterOf(ports, req);
      requireWithin(reporter, 1);
      return reporter;
    },
    payerOf: (reporter) => ({ account: accountOf(reporter) }),
    async handle({ req, caller, body: bytes }) {
      const { ref, profile, channel } = caller;
      const callbacks = callbacksIn(bytes);
      // It was counted once when it came.
      if (callbacks > 1) requireWithin(caller, callbacks - 1);
      await ports.requireRoom();
      await rounds.spend(() => checkReceiptEntries(bytes));
      const body = bytes.toString('utf8');
      const count = (outcome: CallbackOutcome): void => metrics.calledBack(channel.name, outcome);
      const raw: RawReceipt = { headers: singleHeaders(req.headers), body };
      const answer = await counted(count, async () => {
        const said = await rounds.spend(() => channel.parseReceipt?.(raw, profile.value) ?? unknown());
        await requireFresh(ports, said, body);
        return said;
      });
      const jobs = await rounds.spend(() => receiptJobs(ref, body, answer.receipts));
      // Each in a round of its own: all of them at once take as long as parsing the report does.
      for (const job of jobs) await rounds.spend(() => ports.receipts.add([job]));
      count(jobs.length > 0 ? 'queued' : 'nothing');
      return answer.reply;
    },
  };
}

const accountOf = ({ ref }: Reporter): string => `${ref.app}/${ref.channel}/${ref.profile}`;

async function reporterOf({ profiles, channels }: ReceiptPorts, req: HttpRequest): Promise<Reporter> {
  const ref = { app: paramOf(req, 'appId'), channel: paramOf(req, 'channel'), profile: paramOf(req, 'profile') };
  const channel = Object.hasOwn(channels, ref.channel) ? channels[ref.channel] : undefined;
  const profile = requireKey(paramOf(req, 'key'), await profiles.get(ref));
  if (!channel?.parseReceipt) throw unknownCallback();
  return { ref, profile, channel };
}

/** A vendor reports what it has in batches; more than this of one profile is nobody's receipt. */
const MAX_CALLBACKS_PER_SECOND = 1000;

const unknown = (): never => {
  throw unknownCallback();
};

async function counted(
  count: (outcome: CallbackOutcome) => void,
  read: () => Promise<ReceiptAnswer>,
): Promise<ReceiptAnswer> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ReceiptRefused) count('refused');
    throw error;
  }
}

/** Greatest distance of a signed time from the clock of the server; a vendor that tries again signs anew. */
const FRESH_MS = 15 * 60_000;

/** A signature that does not cover the body would be good for any body, for ever. */
async function requireFresh(
  { signatures, now }: ReceiptPorts,
  { signature }: ReceiptAnswer,
  body: string,
): Promise<void> {
  if (signature === undefined) return;
  // Neither is a time that cannot be read.
  if (!(Math.abs(now() - signature.at) <= FRESH_MS)) throw new ReceiptRefused('the signature is not of this time');
  if (!(await signatures.bind(signature.text, body, 2 * FRESH_MS)))
    throw new ReceiptRefused('the signature came before, with another body');
}

/** Stands in for a profile that does not exist, so that the answer takes as long as for one that does. */
const DECOY_KEY = 'no profile has this key';

function requireKey(given: string, profile: StoredProfile | undefined): StoredProfile {
  const isRight = isSameSecret(given, profile?.receiptKey ?? DECOY_KEY);
  if (!profile || !isRight) throw unknownCallback();
  return profile;
}

const unknownCallback = (): Refusal => new Refusal('route-unknown', 'There is no such callback.');

function singleHeaders(headers: IncomingHttpHeaders): RawReceipt['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}
