import { type VendorChannel } from '@pushfleet/channel-kit';
import { REFERENCE_PAGE_POLICY, referencePage } from '@pushfleet/service-kit';
import { anybody, type Endpoint } from '@pushfleet/http-edge';
import { openApiDocument } from '../openapi/document';

export interface ReferencePorts {
  readonly channels: Readonly<Record<string, VendorChannel>>;
  readonly publicUrl?: string | undefined;
}

/** The reference of the API, for programs and for readers. */
export function referenceEndpoints({ channels, publicUrl }: ReferencePorts): {
  readonly document: Endpoint<undefined>;
  readonly page: Endpoint<undefined>;
} {
  const document = openApiDocument(channels, publicUrl);
  const json = { status: 200, body: JSON.stringify(document) };
  const html = {
    ...{ status: 200, body: referencePage(document), contentType: 'text/html;charset=utf-8' },
    headers: { 'content-security-policy': REFERENCE_PAGE_POLICY, 'x-content-type-options': 'nosniff' },
  };
  return {
    document: { route: 'reference', admit: anybody, handle: async () => json },
    page: { route: 'reference', admit: anybody, handle: async () => html },
  };
}
