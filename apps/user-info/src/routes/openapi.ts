import { REFERENCE_PAGE_POLICY, referencePage } from '@pushfleet/service-kit';
import { type Handle } from '../http/endpoint';
import { openApiDocument } from '../openapi';

/** The reference of the service, for programs and for readers. */
export function openApiRoutes(publicUrls: readonly string[]): { readonly document: Handle; readonly page: Handle } {
  const document = openApiDocument(publicUrls);
  const json = { status: 200, body: JSON.stringify(document) };
  const html = {
    ...{ status: 200, body: referencePage(document), contentType: 'text/html;charset=utf-8' },
    headers: { 'content-security-policy': REFERENCE_PAGE_POLICY, 'x-content-type-options': 'nosniff' },
  };
  return { document: async () => json, page: async () => html };
}
