import {
  clientIdRule,
  conversationOf,
  InvalidInput,
  isClientId,
  LIMITS,
  mutableConversationOf,
  mutedIn,
  overLimit,
  parseOfflineMessage,
  type PushWarning,
} from '@pushfleet/domain';
import { jsonAnswer, type Answer } from '@pushfleet/http-edge';
import { type Store } from '@pushfleet/store';
import { type ApiCall, type ApiEndpoint } from '../http/api-call';
import { pushOffline, type PushOfflinePorts } from '../messaging/push-offline';
import { requireAllowed, type TakePorts } from '../take-push';

export interface MessagingPorts extends PushOfflinePorts, Pick<TakePorts, 'quotas'> {
  readonly mutes: Store['messaging']['mutes'];
  readonly installations: PushOfflinePorts['installations'] & Pick<Store['installations'], 'inspect'>;
}

export interface MessagingEndpoints {
  readonly mute: ApiEndpoint;
  readonly unmute: ApiEndpoint;
  readonly mutes: ApiEndpoint;
  readonly bind: ApiEndpoint;
  readonly unbind: ApiEndpoint;
  readonly offlineMessage: ApiEndpoint;
}

const MAX_BODY = LIMITS.offlineMessageBodyBytes.value;

/** What a chat server asks for whose users are offline. */
export function messagingEndpoints(ports: MessagingPorts): MessagingEndpoints {
  return {
    ...muteEndpoints(ports),
    bind: bindingEndpoint(ports, 'bind'),
    unbind: bindingEndpoint(ports, 'unbind'),
    offlineMessage: {
      ...{ route: 'offline-messages', maxBodyBytes: MAX_BODY, countsAs: 'push' },
      async handle(call) {
        const { app } = call.caller;
        const conversation = conversationOf(call.param('id'));
        const message = parseOfflineMessage(call.json());
        await requireAllowed(ports, app);
        return jsonAnswer(200, { ...(await pushOffline(ports, app, { conversation, message })) });
      },
    },
  };
}

function muteEndpoints({ mutes, now }: MessagingPorts): Pick<MessagingEndpoints, 'mute' | 'unmute' | 'mutes'> {
  const changed = (objectId: string): Answer => jsonAnswer(200, { updatedAt: iso(now()), objectId });
  return {
    mute: {
      ...{ route: 'mutes', maxBodyBytes: MAX_BODY },
      async handle(call) {
        const conversation = mutableConversationOf(call.param('id'));
        if (!(await mutes.add(call.caller.app.id, conversation, mutedIn(call.json()))))
          throw overLimit('mutedClients', 'client_ids: a conversation may be muted by');
        return changed(conversation);
      },
    },
    unmute: {
      ...{ route: 'mutes', maxBodyBytes: MAX_BODY },
      async handle(call) {
        const conversation = conversationOf(call.param('id'));
        await mutes.remove(call.caller.app.id, conversation, mutedIn(call.json()));
        return changed(conversation);
      },
    },
    mutes: {
      route: 'mutes',
      async handle(call) {
        return jsonAnswer(200, { result: await mutes.list(call.caller.app.id, conversationOf(call.param('id'))) });
      },
    },
  };
}

function bindingEndpoint({ bindings, installations, now }: MessagingPorts, change: 'bind' | 'unbind'): ApiEndpoint {
  return {
    route: 'client-installations',
    async handle(call) {
      const app = call.caller.app.id;
      const client = clientOf(call);
      const given = installationIdOf(call);
      const known = await installations.inspect(app, given);
      const id: unknown = known?.installation.installationId;
      // What a record says of itself is any text, and a list of bindings has spaces between its ids.
      const installationId = typeof id === 'string' && id !== given ? bindable(id) : given;
      await bindings[change](app, { client, installationId });
      const warnings = change === 'bind' && known === undefined ? [UNKNOWN] : [];
      return jsonAnswer(200, {
        ...{ updatedAt: iso(now()), objectId: client, installationId },
        ...(warnings.length > 0 ? { warnings } : {}),
      });
    },
  };
}

const UNKNOWN: PushWarning = {
  path: 'installationId',
  message: 'is of no installation yet: nothing is pushed to it before its first save',
};

function clientOf(call: ApiCall): string {
  const client = call.param('clientId');
  if (!isClientId(client)) throw new InvalidInput('client-id', `clientId: ${clientIdRule(client)}`);
  return client;
}

const MAX_ID_BYTES = 512;

const installationIdOf = (call: ApiCall): string => bindable(call.param('installationId'));

function bindable(id: string): string {
  if (id !== '' && Buffer.byteLength(id) <= MAX_ID_BYTES && !/[\s\p{Cc}]/u.test(id)) return id;
  throw new InvalidInput('wrong-type', `installationId: must have 1 to ${MAX_ID_BYTES} bytes without white space`);
}

const iso = (at: number): string => new Date(at).toISOString();
