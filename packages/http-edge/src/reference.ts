import { REFERENCE_PAGE_POLICY, referencePage, type OpenApiDocument } from '@pushfleet/service-kit';
import { type Answer } from './answer';
import { type Endpoint } from './edge';
import { anybody } from './router';

export interface ReferenceEndpoints {
  /** For programs. */
  readonly document: Endpoint<undefined>;
  /** For readers. */
  readonly page: Endpoint<undefined>;
}

/** The reference of a service. It is made once and open to everybody: it holds what the documents of the fleet hold. */
export function referenceEndpoints(document: OpenApiDocument): ReferenceEndpoints {
  const json = { status: 200, body: JSON.stringify(document) };
  const html = {
    ...{ status: 200, body: referencePage(document), contentType: 'text/html;charset=utf-8' },
    headers: { 'content-security-policy': REFERENCE_PAGE_POLICY, 'x-content-type-options': 'nosniff' },
  };
  return { document: answering(json), page: answering(html) };
}

const answering = (answer: Answer): Endpoint<undefined> => ({
  ...{ route: 'reference', admit: anybody },
  handle: async () => answer,
});
