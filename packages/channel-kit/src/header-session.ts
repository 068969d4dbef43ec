import type { AccessToken, Discarded, VendorVerdict } from '@pushfleet/domain';
import type { ChannelDeps } from './channel';
import type { PushBatch, VendorSession } from './vendor-session';
import type { Reading } from './code-row';
import { verifyByToken } from './credentials';
import { ChannelFault } from './fault';
import { previewBy, type BuiltRequest } from './message-preview';
import { withCut, withNotes } from './notes';
import { withToken } from './token-cache';
import type { VendorResponse } from './vendor-http';

/** A vendor that takes a batch as JSON in one call, with an access token in a header, and answers with codes. */
export interface HeaderVendor {
  readonly tokenKey: string;
  readonly url: string;
  /** Asks the vendor for an access token. */
  fetchToken(signal: AbortSignal): Promise<AccessToken>;
  /** The header with the token, and others of the vendor's own. */
  headers(token: string): Readonly<Record<string, string>>;
  /** The batch as a call, or why no device gets it. */
  build(batch: PushBatch): BuiltRequest | Discarded;
  /** What the answer says of the devices, or that the token was refused. */
  read(response: VendorResponse, registrationIds: readonly string[]): Reading;
}

export function openHeaderSession(
  vendor: HeaderVendor,
  { http, tokens }: Pick<ChannelDeps, 'http' | 'tokens'>,
): VendorSession {
  const { url, tokenKey: key } = vendor;
  const fetchToken = (signal: AbortSignal): ReturnType<HeaderVendor['fetchToken']> => vendor.fetchToken(signal);
  return {
    preview: (batch) => previewBy((each) => vendor.build(each), batch),
    async send(batch, signal) {
      const request = vendor.build(batch);
      if (request.kind === 'discarded') return batch.registrationIds.map(() => request);
      const last: { refusal?: VendorVerdict } = {};
      const outcomes = await withToken(tokens, { key, fetchToken, signal }, async (token) => {
        const headers = { 'content-type': 'application/json; charset=UTF-8', ...vendor.headers(token) };
        const response = await http.request({ method: 'POST', url, headers, body: request.body, signal });
        const reading = vendor.read(response, batch.registrationIds);
        if (reading.kind === 'outcomes')
          return withNotes(withCut(reading.outcomes, request.truncated ?? false), request.notes);
        last.refusal = reading;
        return 'token-expired';
      });
      if (outcomes !== 'token-expired') return outcomes;
      throw new ChannelFault('credentials-rejected', 'a fresh token was refused', last.refusal);
    },
    verify: (signal) => verifyByToken(() => fetchToken(signal)),
  };
}
