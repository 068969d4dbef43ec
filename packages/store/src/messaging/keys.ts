import { APP, families, type KeyFamily } from '../kit/key-family';

export const messagingKeys = (namespace: string) => ({
  /** The clients that have muted a conversation. */
  mutes: (app: string, conversation: string): string => `${namespace}:rtm:{${app}:${conversation}}:mutes`,
  /** By client: the installations that a chat server bound to it, by both of their ids. A shard is that of the client's name. */
  bindings: (app: string, shard: number): string => `${namespace}:rtm:{${app}:${shard}}:bindings`,
  /** The first answer to a message with a req_id. */
  answer: (app: string, reqId: string): string => `${namespace}:rtm:{${app}:${reqId}}:answer`,
});

export type MessagingKeys = ReturnType<typeof messagingKeys>;

export const MESSAGING_KEYS: readonly KeyFamily[] = families('app', 'name', {
  'muted conversations': `rtm:\\{${APP}:.*\\}:mutes`,
  'installations of clients': `rtm:\\{${APP}:\\d+\\}:bindings`,
  'answers to messages with a req_id': `rtm:\\{${APP}:.*\\}:answer`,
});
