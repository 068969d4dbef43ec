import { describeAttacks, reasonsIn } from '@pushfleet/http-edge/testing';
import { redisHarness } from '@pushfleet/testing';
import { userInfoDialect } from './http/dialect';
import { aGrant, headerOf, openUserInfo, uriOf } from './testing/user-info-harness';

const harness = redisHarness();

describeAttacks({
  dialect: userInfoDialect(Date.now),
  strangerStatus: 400,
  async open(options) {
    const { url, clock, store, metrics } = await openUserInfo(harness, options);
    const grant = await aGrant(store);
    return {
      url,
      read: () => ({
        ...{ method: 'GET', path: uriOf(grant.clientId) },
        headers: { authorization: headerOf(grant, clock) },
      }),
      refused: async () => reasonsIn(await metrics.text()),
    };
  },
});
