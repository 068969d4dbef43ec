import { describeAttacks } from '@pushfleet/http-edge/testing';
import { redisHarness } from '@pushfleet/testing';
import { adminDialect } from './http/dialect';
import { ADMIN_TOKEN, openConsole } from './testing/console-harness';

const harness = redisHarness();
const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };

describeAttacks({
  dialect: adminDialect,
  strangerStatus: 401,
  async open({ env, redisUrl }) {
    const { url, refused } = await openConsole(harness, { env, ...(redisUrl && { redisUrl: () => redisUrl }) });
    return {
      url,
      read: () => ({ method: 'GET', path: '/api/v1/apps', headers }),
      write: () => ({ method: 'POST', path: '/api/v1/apps', headers }),
      refused: async () => refused,
    };
  },
});
