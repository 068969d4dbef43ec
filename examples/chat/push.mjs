/** What a chat server asks pushfleet for. This file is all that a chat server of your own needs. */
export function openPush({ ingress, app }) {
  const call = async (key, [method, path], body) => {
    const answer = await fetch(ingress.replace(/\/+$/, '') + path, {
      method,
      headers: { 'x-lc-id': app.id, 'x-lc-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((cause) => {
      throw new Error(`${method} ${path}: no answer from ${ingress}`, { cause });
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  const asServer = (method, path, body) => call(`${app.masterKey},master`, [method, path], body);
  const bindingOf = (client, installationId) => pathOf('clients', client, 'installations', installationId);
  return {
    /** At log-in. */
    bind: (client, installationId) => asServer('PUT', bindingOf(client, installationId)),
    /** At log-out; a connection that is lost unbinds nothing. */
    unbind: (client, installationId) => asServer('DELETE', bindingOf(client, installationId)),
    setMuted: (conversation, client, isMuted) =>
      asServer(isMuted ? 'POST' : 'DELETE', pathOf('conversations', conversation, 'mutes'), { client_ids: [client] }),
    isMuted: async (conversation, client) =>
      (await asServer('GET', pathOf('conversations', conversation, 'mutes'))).result.includes(client),
    /** For those to whom a message could not be delivered; answers how many were pushed to, had muted, or have no device. */
    offline: (conversation, message) =>
      asServer('POST', pathOf('conversations', conversation, 'offline-messages'), message),
    /** What the app on the phone does by itself, with the app key. */
    savePhone: (installation) => call(app.key, ['POST', '/1.1/installations'], installation),
  };
}

/** Some parts come from whoever is connected, and the call has the master key: none of them may lead to another path. */
function pathOf(...parts) {
  for (const part of parts)
    if (typeof part !== 'string' || ['', '.', '..'].includes(part))
      throw new Error(`${JSON.stringify(part)} cannot be part of a path`);
  return ['/1.2/rtm', ...parts.map(encodeURIComponent)].join('/');
}
