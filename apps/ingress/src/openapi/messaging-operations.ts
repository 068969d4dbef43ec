import { CLIENT_ID_PATTERN, CONVERSATION_ID_PATTERN, DAY_MS, LIMITS } from '@pushfleet/domain';
import { BINDABLE_ID_PATTERN } from '../routes/client-installations';
import { EXAMPLE_AT, ref, type Operation, type Operations } from './operation';

const CONVERSATION = '/1.2/rtm/conversations/:id';
const BINDING = '/1.2/rtm/clients/:clientId/installations/:installationId';

const CONVERSATION_NAMES: Operation['path'] = { id: { type: 'string', pattern: CONVERSATION_ID_PATTERN } };
const BINDING_NAMES: Operation['path'] = {
  clientId: { type: 'string', pattern: CLIENT_ID_PATTERN },
  installationId: {
    type: 'string',
    pattern: BINDABLE_ID_PATTERN,
    maxLength: LIMITS.boundInstallationIdBytes.value,
  },
};

const mutesBody: Operation['body'] = { schema: ref('Mutes'), example: { client_ids: ['Tom', 'Jerry'] } };
const changed: Operation['answer'] = {
  status: 200,
  description: 'When it was changed.',
  schema: ref('Conversation'),
  example: { updatedAt: EXAMPLE_AT, objectId: '5a2f1c9b' },
};
const bound: Operation['answer'] = {
  status: 200,
  description: 'The binding as it was asked for.',
  schema: ref('ClientInstallation'),
  example: { updatedAt: EXAMPLE_AT, objectId: 'Tom', installationId: '4f0c1b2a' },
};

/** What a chat server asks for whose users are offline. */
export const messagingOperations: Operations = {
  [`POST ${CONVERSATION}/offline-messages`]: {
    path: CONVERSATION_NAMES,
    id: 'pushOfflineMessage',
    tag: 'messaging',
    summary: 'Push a message to receivers who are offline',
    key: 'master',
    description: `To every device of the receivers, but to the sender and to those who have muted the conversation. Devices are those that were bound to a client and, while the app’s setting \`chatByChannel\` is on, those that have saved the client id among their \`channels\`: of one client the ${LIMITS.subscribedDevices.value} that were saved last, with a warning. The content is \`push_data\`, else the app’s setting \`offlinePush\`; without either nothing is pushed. A notification replaces an earlier one of the same conversation where the vendor can. The push expires after seven days.`,
    body: {
      schema: ref('OfflineMessage'),
      example: {
        from_client: 'Tom',
        offline_clients: ['Jerry', 'Spike'],
        message: 'Dinner at eight?',
        push_data: { alert: 'Tom: Dinner at eight?', badge: 'Increment' },
      },
    },
    answer: {
      status: 200,
      description: 'What became of the receivers.',
      schema: ref('PushedOffline'),
      example: { objectId: '6s0e6n2kqv1u8b3d', pushed: 1, muted: 0, unreachable: 1, withoutText: 0 },
    },
    problems: [
      ...(['malformed-url', 'client-id', 'required-field', 'threshold', 'misconfigured'] as const),
      ...(['plan-quota', 'too-many-calls'] as const),
    ],
  },
  [`POST ${CONVERSATION}/mutes`]: {
    path: CONVERSATION_NAMES,
    id: 'muteConversation',
    tag: 'messaging',
    summary: 'Mute a conversation for some clients',
    key: 'master',
    description: `They get no push of its messages. At most ${LIMITS.mutedClients.value} clients may have muted one; a temporary conversation, whose id begins with \`_tmp:\`, cannot be muted. Mutes count among the bytes that the installations of the app may take.`,
    body: mutesBody,
    answer: changed,
    problems: ['malformed-url', 'client-id', 'required-field', 'threshold', 'too-many-calls'],
  },
  [`DELETE ${CONVERSATION}/mutes`]: {
    path: CONVERSATION_NAMES,
    id: 'unmuteConversation',
    tag: 'messaging',
    summary: 'End that',
    key: 'master',
    body: mutesBody,
    answer: changed,
    problems: ['malformed-url', 'client-id', 'required-field', 'threshold'],
  },
  [`GET ${CONVERSATION}/mutes`]: {
    path: CONVERSATION_NAMES,
    id: 'listMutes',
    tag: 'messaging',
    summary: 'Who has muted a conversation',
    key: 'master',
    answer: {
      status: 200,
      description: 'Client ids in alphabetical order.',
      example: { result: ['Jerry', 'Tom'] },
      schema: {
        type: 'object',
        required: ['result'],
        properties: { result: { type: 'array', items: { type: 'string' } } },
      },
    },
    problems: ['malformed-url', 'wrong-type'],
  },
  [`PUT ${BINDING}`]: {
    path: BINDING_NAMES,
    id: 'bindInstallation',
    tag: 'messaging',
    summary: 'Bind an installation to a client',
    key: 'master',
    description: `When its user logs in to the chat server. By \`installationId\`, which may come before the first save, or by \`objectId\`; an installation without an \`installationId\` cannot be bound. Nobody with the app key sees or changes it. A client has at most ${LIMITS.installationsOfClient.value}: the one that was bound the longest ago makes room. While the installation exists, a log-out alone ends it; without one it ends after ${LIMITS.boundWithoutInstallationMs.value / DAY_MS} days. Bindings count among the bytes that the installations of the app may take.`,
    answer: bound,
    problems: ['malformed-url', 'client-id', 'wrong-type', 'required-field', 'too-many-calls'],
  },
  [`DELETE ${BINDING}`]: {
    path: BINDING_NAMES,
    id: 'unbindInstallation',
    tag: 'messaging',
    summary: 'End that, when its user logs out',
    key: 'master',
    description:
      'By `installationId` or `objectId`, those of now or those that it was bound with, so that it also ends when the installation is gone. The answer has `warnings` when there was nothing to end.',
    answer: bound,
    problems: ['malformed-url', 'client-id', 'wrong-type'],
  },
};
