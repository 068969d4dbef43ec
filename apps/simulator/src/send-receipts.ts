import { z } from 'zod';
import { BadRequest, parseOrRefuse } from './bad-request';
import { type LoggedMessage } from './message-log';
import { type Vendors } from './vendors';

/** Stands for an HTTP status where the callback could not be reached. */
const NO_ANSWER = 0;
const TIMEOUT_MS = 10_000;
const AT_A_TIME = 16;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Receipts go to this machine alone: a simulator that calls any address would be a way into its network. */
const isLoopback = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && LOOPBACK.test(url.hostname);
};

const orderSchema = z.strictObject({
  channel: z.string(),
  kind: z.enum(['delivered', 'clicked', 'registration-gone', 'unknown']),
  url: z.string().refine(isLoopback, 'must be an http URL of this machine (127.0.0.1, localhost, [::1])').optional(),
});

export interface ReceiptsSent {
  readonly sent: number;
  /** HTTP status per receipt, 0 for none. */
  readonly answers: readonly number[];
  /** Messages that name no address on this machine to send a receipt to, or that did not ask for this one. */
  readonly skipped: number;
}

interface Callback {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

async function post({ url, headers, body }: Callback): Promise<number> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return NO_ANSWER;
  }
}

async function postAll(callbacks: readonly Callback[]): Promise<number[]> {
  const answers: number[] = [];
  for (let i = 0; i < callbacks.length; i += AT_A_TIME) {
    answers.push(...(await Promise.all(callbacks.slice(i, i + AT_A_TIME).map(post))));
  }
  return answers;
}

/** Sends what the vendor would report about the messages that it still holds, oldest first. */
export async function sendReceipts(vendors: Vendors, input: unknown): Promise<ReceiptsSent> {
  const { channel, kind, url } = parseOrRefuse(orderSchema, input);
  const vendor = vendors.of(channel);
  if (vendor === undefined) throw unknownChannel(vendors);
  const receipt = vendor.simulator.receipt?.bind(vendor.simulator);
  if (receipt === undefined) {
    throw new BadRequest([{ path: 'channel', message: `${channel} has no receipts` }]);
  }
  const held = vendor.log.newestFirst(Infinity).reverse();
  const asked = held.flatMap(({ sent }: LoggedMessage) => {
    const written = receipt(kind, sent);
    return written ? [{ ...written, url: sent.receiptUrl ?? url }] : [];
  });
  const addressed = asked.filter((callback): callback is Callback => isLoopback(callback.url ?? ''));
  if (addressed.length === 0 && asked.length > 0) {
    const message = 'no message names a callback URL of this machine: say where the receipts go';
    throw new BadRequest([{ path: 'url', message }]);
  }
  return { sent: addressed.length, answers: await postAll(addressed), skipped: held.length - addressed.length };
}

export const unknownChannel = (vendors: Vendors): BadRequest =>
  new BadRequest([{ path: 'channel', message: `must be one of ${vendors.channels.join(', ')}` }]);
