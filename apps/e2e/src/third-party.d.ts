/** Clients that ship no types: only what the tests call. */
declare module '@blueraydigital/hms-push' {
  interface Answer {
    readonly code: string;
    readonly msg: string;
    readonly requestId?: string;
  }
  interface Messaging {
    send(message: unknown, validateOnly: boolean): Promise<Answer>;
  }
  const hms: {
    init(config: { appId: string; appSecret: string; authUrl: string; pushUrl: string }): void;
    messaging(): { messaging: Messaging };
  };
  export default hms;
}

declare module 'xiaomi-push' {
  export class Message {
    title(text: string): this;
    description(text: string): this;
    payload(text: string): this;
    passThrough(flag: 0 | 1): this;
  }
  export class Notification {
    constructor(options: { production: boolean; appSecret: string });
    send(registrationIds: readonly string[], message: Message): Promise<{ code: number; data: Record<string, string> }>;
  }
}

declare module 'xiaomi-push/lib/constant' {
  const constant: { notificationAPI: { regid: string } };
  export = constant;
}

declare module 'leancloud-push' {
  type Done = (error: unknown, answer: never) => void;
  class LCPush {
    static genInstallationId(): string;
    constructor(config: { appId: string; appKey: string; installationId: string });
    server: { server: string; expires: Date };
    request: unknown;
    readonly heartbeatsTimer: NodeJS.Timeout;
    on(event: 'message', listener: (message: Readonly<Record<string, unknown>>) => void): void;
    open(done: (error: Error | undefined) => void): void;
    close(): void;
    subscribeChannels(channels: readonly string[], done: Done, isRemoval: boolean): void;
    sendPush(push: object, done: Done): void;
  }
  export default LCPush;
}

declare module 'request' {
  const request: { defaults(options: { baseUrl: string; headers: Readonly<Record<string, string>> }): unknown };
  export default request;
}

declare module 'leancloud-installation' {
  import type AV from 'leancloud-storage';
  const open: (sdk: typeof AV) => { getCurrent(): Promise<AV.Object> };
  export = open;
}
