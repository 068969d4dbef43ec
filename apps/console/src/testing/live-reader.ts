/** Events of a live stream, as they come. */
export interface LiveReader {
  readonly status: number;
  readonly headers: Headers;
  /** The next one that is not among the ignored; undefined at the end of the stream. */
  next(...ignored: readonly string[]): Promise<LiveEvent | undefined>;
  leave(): Promise<void>;
}

export interface LiveEvent {
  readonly name: string;
  readonly data: Readonly<Record<string, string>>;
}

export async function openLive(url: string, headers: Readonly<Record<string, string>>): Promise<LiveReader> {
  const response = await fetch(url, { headers });
  const body = response.body?.getReader();
  const events = eventsIn(body);
  return {
    status: response.status,
    headers: response.headers,
    async next(...ignored) {
      for (;;) {
        const { done, value } = await events.next();
        if (done === true) return undefined;
        if (!ignored.includes(value.name)) return value;
      }
    },
    leave: async () => body?.cancel(),
  };
}

async function* eventsIn(
  body: ReadableStreamDefaultReader<Uint8Array> | undefined,
): AsyncGenerator<LiveEvent, undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for (let read = await body?.read(); read?.done === false; read = await body?.read()) {
    const blocks = (text + decoder.decode(read.value, { stream: true })).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, name, data = '{}'] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (name !== undefined) yield { name, data: JSON.parse(data) as LiveEvent['data'] };
    }
  }
  return undefined;
}
