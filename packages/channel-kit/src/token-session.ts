import { writeJson, type AccessToken, type Discarded, type JsonObject, type Outcome } from '@pushfleet/domain';
import type { z } from 'zod';
import type { ChannelDeps } from './channel';
import type { PushBatch, VendorSession } from './vendor-session';
import { verifyByToken } from './credentials';
import { ChannelFault } from './fault';
import { shownAs } from './message-preview';
import { withNotes } from './notes';
import type { Sent } from './outcomes';
import { parseAnswer } from './parse-answer';
import { withToken } from './token-cache';
import type { VendorRequest } from './http-exchange';

/** The one form of a vendor's answers. */
export interface AnswerForm<Answer> {
  readonly schema: z.ZodType<Answer>;
  /** Whether the code stands in the vendor's tables. */
  isKnown(answer: Answer): boolean;
}

/** A request for an access token: it reaches no device and is repeated freely. */
export interface TokenRequest<Answer>
  extends AnswerForm<Answer>, Required<Pick<VendorRequest, 'url' | 'headers' | 'body'>> {}

export async function askForToken<Answer>(
  { schema, isKnown, ...asked }: TokenRequest<Answer>,
  { http }: Pick<ChannelDeps, 'http'>,
  signal: AbortSignal,
): Promise<Answer> {
  return parseAnswer(schema, await http.request({ method: 'POST', isHarmless: true, ...asked, signal }), isKnown);
}

/** Asks a vendor for the access token of a profile. */
export type FetchToken<Profile> = (profile: Profile, deps: ChannelDeps, signal: AbortSignal) => Promise<AccessToken>;

/** A message in the vendor's words. */
export interface Composed {
  /** As they are written into a call, whatever the form of the call. */
  readonly fields: JsonObject;
  /** Fields whose text was cut. */
  readonly cut: readonly string[];
  /** What the record tells about this message. */
  readonly notes: readonly string[];
}

/** One call of the vendor's API, with a token and once more with a fresh one. */
export type TokenCall<Body, Answer> = (path: string, body: Body) => Promise<Answer>;

/** A push on its way. */
export interface Delivery<Content, Body, Answer> {
  readonly batch: PushBatch;
  readonly content: Content;
  readonly call: TokenCall<Body, Answer>;
}

/** Sends a composed push, and reads what the vendor says about its devices. */
export type Deliver<Content, Body, Answer> = (
  delivery: Delivery<Content, Body, Answer>,
  sent: Sent,
) => Promise<readonly Outcome[]>;

/** A vendor that grants a token for a signature, and whose every answer has one form. */
export interface TokenVendor<Content extends Composed, Body, Answer> extends AnswerForm<Answer> {
  /** The vendor's name, in its words of a refusal. */
  readonly name: string;
  readonly origin: string;
  readonly tokenKey: string;
  fetchToken(signal: AbortSignal): Promise<AccessToken>;
  /** Body and headers of a call: the vendor says where the token stands. */
  write(body: Body, token: string): Required<Pick<VendorRequest, 'headers' | 'body'>>;
  /** A call that reaches no device and is repeated freely. */
  isHarmless(path: string): boolean;
  isTokenRefused(answer: Answer): boolean;
  /** The vendor's code for a refused token. */
  readonly refusal: string;
  compose(batch: PushBatch): Content;
  /** Why the message is not sent at all. */
  discardOf(batch: PushBatch, content: Content): Discarded | undefined;
  readonly deliver: Deliver<Content, Body, Answer>;
}

export function openTokenSession<Content extends Composed, Body, Answer>(
  vendor: TokenVendor<Content, Body, Answer>,
  deps: ChannelDeps,
): VendorSession {
  return {
    preview(batch) {
      const content = vendor.compose({ ...batch, registrationIds: [] });
      const { fields, cut, notes } = content;
      const bytes = Buffer.byteLength(writeJson(fields));
      const shown = shownAs(fields['title'], fields['content']);
      const preview = { kind: 'preview', bytes, truncated: cut.length > 0, notes, ...shown } as const;
      return vendor.discardOf(batch, content) ?? preview;
    },
    async send(batch, signal) {
      const content = vendor.compose(batch);
      const discard = vendor.discardOf(batch, content);
      const { registrationIds } = batch;
      if (discard) return registrationIds.map(() => discard);
      const sent = { registrationIds, truncated: content.cut.length > 0, now: deps.now() };
      const call = openCall(vendor, deps, signal);
      return withNotes(await vendor.deliver({ batch, content, call }, sent), content.notes);
    },
    verify: (signal) => verifyByToken(() => vendor.fetchToken(signal)),
  };
}

function openCall<Content extends Composed, Body, Answer>(
  vendor: TokenVendor<Content, Body, Answer>,
  { tokens, http }: ChannelDeps,
  signal: AbortSignal,
): TokenCall<Body, Answer> {
  const access = { key: vendor.tokenKey, fetchToken: (until: AbortSignal) => vendor.fetchToken(until), signal };
  return async (path, content) => {
    const answer = await withToken<Answer>(tokens, access, async (token) => {
      const { headers, body } = vendor.write(content, token);
      const url = `${vendor.origin}${path}`;
      const isHarmless = vendor.isHarmless(path);
      const response = await http.request({ method: 'POST', url, headers, body, signal, isHarmless });
      const read = parseAnswer(vendor.schema, response, (answer) => vendor.isKnown(answer));
      return vendor.isTokenRefused(read) ? 'token-expired' : read;
    });
    if (answer !== 'token-expired') return answer;
    const vendorCode = vendor.refusal;
    throw new ChannelFault('credentials-rejected', `${vendor.name} refused a fresh access token`, { vendorCode });
  };
}
