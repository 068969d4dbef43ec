import { describeAttacks, reasonsIn } from '@pushfleet/http-edge/testing';
import { redisHarness } from '@pushfleet/testing';
import { apiDialect } from '../http/problem';
import { openIngress } from '../testing/ingress-harness';

const harness = redisHarness();

describeAttacks({
  dialect: apiDialect,
  strangerStatus: 401,
  async open(options) {
    const { url, app, metrics } = await openIngress(harness, options);
    const headers = { 'x-lc-id': app.id, 'x-lc-key': `${app.masterKey},master` };
    return {
      url,
      read: () => ({ method: 'GET', path: '/1.1/installations?limit=1', headers }),
      write: () => ({ method: 'POST', path: '/1.1/installations', headers }),
      refused: async () => reasonsIn(await metrics.text()),
    };
  },
});
