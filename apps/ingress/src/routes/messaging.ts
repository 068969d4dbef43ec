import {
  conversationOf,
  LIMITS,
  mutableConversationOf,
  mutedIn,
  overLimit,
  parseOfflineMessage,
} from '@pushfleet/domain';
import { jsonAnswer, type Answer } from '@pushfleet/http-edge';
import { type Store } from '@pushfleet/store';
import { type ApiEndpoint } from '../http/api-call';
import { type RunInLane } from '../http/lanes';
import { pushOffline, type PushedOffline, type PushOfflinePorts } from '../messaging/push-offline';
import { requireAllowed, type TakePorts } from '../take-push';
import { bindingEndpoints, type BindingEndpoints, type BindingPorts } from './client-installations';

export interface MessagingPorts extends PushOfflinePorts, Pick<TakePorts, 'quotas' | 'pushRoom'> {
  readonly mutes: Store['messaging']['mutes'];
  readonly installations: PushOfflinePorts['installations'] & BindingPorts['installations'];
  readonly runInLane: RunInLane;
}

export interface MessagingEndpoints extends BindingEndpoints {
  readonly mute: ApiEndpoint;
  readonly unmute: ApiEndpoint;
  readonly mutes: ApiEndpoint;
  readonly offlineMessage: ApiEndpoint;
}

const MAX_BODY = LIMITS.offlineMessageBodyBytes.value;

/** A message to more of them costs as much as a query, ten milliseconds and more, and takes its turn with those. */
const FEW_RECEIVERS = 50;

/** What a chat server asks for whose users are offline. */
export function messagingEndpoints(ports: MessagingPorts): MessagingEndpoints {
  return {
    ...muteEndpoints(ports),
    ...bindingEndpoints(ports),
    offlineMessage: {
      route: 'offline-messages',
      maxBodyBytes: MAX_BODY,
      countsAs: 'push',
      async handle(call) {
        const { app } = call.caller;
        const conversation = conversationOf(call.param('id'));
        const message = parseOfflineMessage(call.json());
        await requireAllowed(ports, app, ports.now());
        const push = (): Promise<PushedOffline> => pushOffline(ports, app, { conversation, message });
        const isShort = message.receivers.length <= FEW_RECEIVERS;
        return jsonAnswer(200, { ...(await (isShort ? push() : ports.runInLane('query', call, push))) });
      },
    },
  };
}

function muteEndpoints({ mutes, now }: MessagingPorts): Pick<MessagingEndpoints, 'mute' | 'unmute' | 'mutes'> {
  const changed = (objectId: string): Answer => jsonAnswer(200, { updatedAt: iso(now()), objectId });
  return {
    mute: {
      route: 'mutes',
      maxBodyBytes: MAX_BODY,
      async handle(call) {
        const conversation = mutableConversationOf(call.param('id'));
        if (!(await mutes.add(call.caller.app.id, conversation, mutedIn(call.json()))))
          throw overLimit('mutedClients', 'client_ids: a conversation may be muted by');
        return changed(conversation);
      },
    },
    unmute: {
      route: 'mutes',
      maxBodyBytes: MAX_BODY,
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

const iso = (at: number): string => new Date(at).toISOString();
