import { jsonAnswer } from '@pushfleet/http-edge';
import { type ApiEndpoint } from '../http/api-call';

export function dateEndpoint({ now }: { now: () => number }): ApiEndpoint {
  return {
    route: 'date',
    handle: async () => jsonAnswer(200, { __type: 'Date', iso: new Date(now()).toISOString() }),
  };
}
