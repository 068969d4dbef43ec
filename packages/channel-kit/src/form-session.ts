import type { Discarded } from '@pushfleet/domain';
import type { ChannelDeps } from './channel';
import type { PushBatch, VendorSession } from './vendor-session';
import type { FormReader } from './form-answer';
import { previewBy, type BuiltRequest } from './message-preview';
import { withNotes } from './notes';

export const FORM_TYPE = 'application/x-www-form-urlencoded;charset=UTF-8';

/** A vendor that takes a form which carries its credentials, and grants no tokens. */
export interface FormVendor extends FormReader {
  readonly url: string;
  /** Headers of the vendor's own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The batch as a form-encoded body, or why no device gets it. */
  build(batch: PushBatch): BuiltRequest | Discarded;
  /** A call that asks for nothing but whether the credentials are right. */
  checkUrl(): string;
}

export function openFormSession(vendor: FormVendor, { http, now }: ChannelDeps): VendorSession {
  const { url, headers } = vendor;
  return {
    preview: (batch) => previewBy((each) => vendor.build(each), batch),
    async send(batch, signal) {
      const request = vendor.build(batch);
      const { registrationIds } = batch;
      if (request.kind === 'discarded') return registrationIds.map(() => request);
      const { body, truncated = false, notes } = request;
      const all = { ...headers, 'content-type': FORM_TYPE };
      const response = await http.request({ method: 'POST', url, headers: all, body, signal });
      return withNotes(vendor.readAnswer(response, { registrationIds, truncated, now: now() }), notes);
    },
    async verify(signal) {
      const asked = { method: 'GET', url: vendor.checkUrl(), signal } as const;
      return vendor.readCheck(await http.request(headers ? { ...asked, headers } : asked), now());
    },
  };
}
