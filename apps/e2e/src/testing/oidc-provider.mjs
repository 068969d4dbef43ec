import { once } from 'node:events';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

/** What nobody asked for: every client here is the console of a test, and whoever signs in agrees. */
async function loadExistingGrant({ oidc }) {
  const { client, session, provider } = oidc;
  const known = session.grantIdFor(client.clientId);
  if (known) return provider.Grant.find(known);
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid profile email');
  await grant.save();
  return grant;
}

process.on('disconnect', () => process.exit(0));
process.once('message', async ({ client, people, inToken, port = 0 }) => {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // Another site than the console's 127.0.0.1, as browsers tell sites apart.
  const issuer = `http://localhost:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [client],
    claims: { profile: ['name', 'preferred_username', 'groups', 'realm_access'], email: ['email'] },
    conformIdTokenClaims: !inToken,
    cookies: { keys: ['a key of the tests'] },
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: (use) => ({ sub: id, ...people[id], ...(use === 'id_token' ? inToken?.[id] : {}) }),
    }),
    loadExistingGrant,
  });
  server.on('request', provider.callback());
  process.send({ issuer });
});
