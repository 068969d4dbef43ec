import { jsonAnswer } from '../http/answer';
import { type Authenticate } from '../http/authenticate';
import { type Endpoint } from '../http/endpoint';

export function dateEndpoint({ authenticate, now }: { authenticate: Authenticate; now: () => number }): Endpoint {
  return {
    route: 'date',
    async handle(req) {
      await authenticate(req.headers);
      return jsonAnswer(200, { __type: 'Date', iso: new Date(now()).toISOString() });
    },
  };
}
