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

declare module 'push-xiaomi' {
  interface Finished {
    readonly fail_total: number;
    readonly success_total: number;
    readonly traceIdList: readonly string[];
  }
  class Xiaomi {
    constructor(options: { pushUrl: string; appSecret: string; appPkgName: string });
    push(data: {
      readonly title: string;
      readonly content: string;
      readonly payload: string;
      readonly list: readonly string[];
      readonly sleep: number;
      success(answer: { readonly data: { readonly code: number } }): void;
      finish(totals: Finished): void;
    }): Promise<void>;
  }
  export = Xiaomi;
}

declare module 'xiaomipush' {
  interface Helper {
    /** Resolves with the vendor's code. */
    pushToAndroid(
      ...call: [app: string, secret: string, account: string, title: string, payload: string]
    ): Promise<number>;
  }
  const helper: Helper;
  export = helper;
}

declare module 'xiaomipush/Constants' {
  const constants: {
    domain: string;
    setSecret(secret: string): void;
    setPackage(name: string): void;
  };
  export = constants;
}

declare module 'xiaomipush/Builder' {
  class Builder {
    Title(text: string): void;
    Description(text: string): void;
    Payload(text: string): void;
    Build(): void;
  }
  export = Builder;
}

declare module 'xiaomipush/Sender' {
  import type Builder from 'xiaomipush/Builder';
  class Sender {
    send(message: Builder, registrationId: string, retries?: number): Promise<{ getErrorCode(): number }>;
    sendToIds(message: Builder, ids: readonly string[], retries?: number): Promise<{ getErrorCode(): number }>;
  }
  export = Sender;
}
