import { ChannelFault, isChannelFault, type VendorChannel } from '@pushfleet/channel-kit';
import type { JsonObject } from '@pushfleet/domain';
import type { ConsolePorts } from './ports';
import { MASK } from './profile-document';

export interface CredentialAnswer {
  readonly ok: boolean;
  readonly vendorCode: string | null;
  readonly vendorMessage: string | null;
  /** Why there was no usable answer from the vendor. */
  readonly fault?: string;
}

/** Asks the vendor about a profile's credentials; a vendor that does not answer is an answer too. */
export async function tryCredentials(
  channel: Pick<VendorChannel, 'open' | 'secretFields'>,
  profile: JsonObject,
  vendors: ConsolePorts['vendors'],
): Promise<CredentialAnswer> {
  const answer = await ask(channel, profile, vendors);
  const { vendorMessage } = answer;
  return vendorMessage === null ? answer : { ...answer, vendorMessage: hideSecrets(channel, profile, vendorMessage) };
}

async function ask(
  channel: Pick<VendorChannel, 'open'>,
  profile: JsonObject,
  vendors: ConsolePorts['vendors'],
): Promise<CredentialAnswer> {
  const session = channel.open(profile, vendors);
  const deadline = AbortSignal.timeout(vendors.timeoutMs);
  try {
    const check = await Promise.race([session.verify(deadline), lateAt(deadline, vendors.timeoutMs)]);
    return { ok: check.ok, vendorCode: check.vendorCode ?? null, vendorMessage: check.vendorMessage ?? null };
  } catch (error) {
    if (!isChannelFault(error)) throw error;
    const { code, vendorCode = null, vendorMessage = error.message } = error;
    return { ok: false, vendorCode, vendorMessage, fault: code };
  }
}

/** A vendor call ends with its signal, but waiting for another process to fetch a token does not. */
function lateAt(deadline: AbortSignal, timeoutMs: number): Promise<never> {
  return new Promise((_, reject) => {
    const late = () => reject(new ChannelFault('unreachable', `no answer within ${timeoutMs} ms`));
    deadline.addEventListener('abort', late, { once: true });
  });
}

/** Some vendors repeat in their answer what they were sent. */
function hideSecrets({ secretFields }: Pick<VendorChannel, 'secretFields'>, profile: JsonObject, text: string): string {
  const secrets = secretFields.map((field) => profile[field]).filter((value) => typeof value === 'string');
  return secrets.reduce((hidden, secret) => hidden.replaceAll(secret, MASK), text);
}
