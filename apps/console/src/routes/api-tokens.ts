import { LIMITS } from '@pushfleet/domain';
import { jsonAnswer } from '@pushfleet/http-edge';
import type { ApiToken } from '@pushfleet/store';
import { get, post, remove, type AdminRoute } from '../http/admin-route';
import { parse } from '../http/parse';
import { Problem } from '../http/problem';
import { newSecret } from '../people/api-token-secret';
import { lifeOf, newApiTokenSchema } from '../people/person-input';
import type { ConsolePorts } from '../ports';

/** What programs present instead of the admin token. */
export function apiTokenRoutes({ store, now }: Pick<ConsolePorts, 'store' | 'now'>): readonly AdminRoute[] {
  const { apiTokens } = store.people;
  const view = ({ digest, ...token }: ApiToken): object => ({
    ...token,
    createdAt: iso(token.createdAt),
    expiresAt: iso(token.expiresAt),
    isExpired: token.expiresAt <= now(),
  });
  return [
    get('/api-tokens', async () => {
      const { results, ...damaged } = await apiTokens.list();
      const all = [...results].sort((a, b) => a.createdAt - b.createdAt);
      return jsonAnswer(200, { results: all.map(view), ...damaged });
    }),

    post('/api-tokens', async ({ caller, body, changed }) => {
      const { days, ...wanted } = parse(newApiTokenSchema, body);
      const { id, token, digest } = newSecret();
      const times = { createdAt: now(), expiresAt: now() + lifeOf(days) };
      const stored: ApiToken = { ...wanted, id, digest, ...times, createdBy: caller.by };
      if ((await apiTokens.add(id, stored)) !== 'added')
        throw new Problem(
          'conflict',
          `there may be at most ${LIMITS.apiTokens.value} tokens; remove those that expired`,
        );
      changed({}, view(stored));
      return jsonAnswer(201, { ...view(stored), token });
    }),

    remove('/api-tokens/:tokenId', async ({ params, changed }) => {
      const removed = await apiTokens.remove(params.tokenId);
      if (!removed) throw new Problem('not-found', `there is no token ${JSON.stringify(params.tokenId)}`);
      changed(removed === 'damaged' ? {} : view(removed), {});
      return jsonAnswer(200, {});
    }),
  ];
}

const iso = (ms: number): string => new Date(ms).toISOString();
