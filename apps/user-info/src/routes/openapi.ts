import { type Handle } from '../http/endpoint';
import { openApiDocument } from '../openapi';

export function openApiRoute(publicUrls: readonly string[]): Handle {
  const answer = { status: 200, body: JSON.stringify(openApiDocument(publicUrls)) };
  return async () => answer;
}
