import type { Discarded, VendorVerdict } from '@pushfleet/domain';
import type { ChannelDeps, PushBatch, VendorSession } from './channel';
import { requestToken, type TokenGrant } from './client-credentials';
import type { Reading } from './code-row';
import { verifyByToken } from './credentials';
import { ChannelFault } from './fault';
import { previewBy } from './message-preview';
import { withCut, withNotes } from './notes';
import { withToken } from './token-cache';
import type { VendorResponse } from './vendor-http';

/** A batch in the vendor's words, with what the record tells about it. */
export interface BuiltRequest {
  readonly kind: 'request';
  readonly body: string;
  /** A text was cut to the vendor's limit. */
  readonly truncated?: boolean;
  readonly notes: readonly string[];
}

/** A vendor that takes JSON with a bearer token, which it grants for client credentials. */
export interface BearerVendor {
  readonly grant: TokenGrant;
  readonly tokenKey: string;
  readonly url: string;
  /** Headers of the vendor's own. */
  readonly headers?: () => Readonly<Record<string, string>>;
  build(batch: PushBatch): BuiltRequest | Discarded;
  read(response: VendorResponse, registrationIds: readonly string[]): Reading;
}

export function openBearerSession(vendor: BearerVendor, { http, tokens, now }: ChannelDeps): VendorSession {
  const { url, grant, tokenKey: key } = vendor;
  const fetchToken = (signal: AbortSignal) => () => requestToken(grant, { http, now }, signal);
  const headersFor = (token: string): Record<string, string> => ({
    authorization: `Bearer ${token}`,
    'content-type': 'application/json; charset=UTF-8',
    ...vendor.headers?.(),
  });
  return {
    preview: (batch) => previewBy((each) => vendor.build(each), batch),
    async send(batch, signal) {
      const request = vendor.build(batch);
      if (request.kind === 'discarded') return batch.registrationIds.map(() => request);
      const last: { refusal?: VendorVerdict } = {};
      const outcomes = await withToken(tokens, { key, fetchToken: fetchToken(signal) }, async (token) => {
        const headers = headersFor(token);
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
    verify: (signal) => verifyByToken(fetchToken(signal)),
  };
}
