import { APP, families, type KeyFamily } from '../kit/key-family';

export const messagingKeys = (namespace: string) => ({
  /** Conversations with the clients that have muted them. A shard is that of the conversation's id. */
  muted: (app: string, shard: number): string => `${namespace}:rtm:{${app}:${shard}}:muted`,
  /** The clients that have muted a conversation, as builds before the ceiling kept them. */
  mutesOfBefore: (app: string, conversation: string): string => `${namespace}:rtm:{${app}:${conversation}}:mutes`,
  /** By client: the installations that a chat server bound to it, by both of their ids. A shard is that of the client's name. */
  bindings: (app: string, shard: number): string => `${namespace}:rtm:{${app}:${shard}}:bindings`,
  /** What the bindings of a shard take, in bytes, and how often they changed. */
  bindingBytes: (app: string, shard: number): string => `${namespace}:rtm:{${app}:${shard}}:bytes`,
  /** The first answer to a message with a req_id. */
  answer: (app: string, reqId: string): string => `${namespace}:rtm:{${app}:${reqId}}:answer`,
});

export type MessagingKeys = ReturnType<typeof messagingKeys>;

export const MESSAGING_KEYS: readonly KeyFamily[] = families('app', 'name', {
  'muted conversations': `rtm:\\{${APP}:\\d+\\}:muted`,
  'muted conversations of before': `rtm:\\{${APP}:.*\\}:mutes`,
  'installations of clients': `rtm:\\{${APP}:\\d+\\}:bindings`,
  'bytes of bindings': `rtm:\\{${APP}:\\d+\\}:bytes`,
  'answers to messages with a req_id': `rtm:\\{${APP}:.*\\}:answer`,
});
