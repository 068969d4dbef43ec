import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly line: string;
  readonly key: string | undefined;
  readonly body: Record<string, unknown>;
}

/** An answer other than 200 with JSON; with the status 0 the connection ends without one. */
export class OtherAnswer {
  constructor(
    readonly status: number,
    readonly text: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

export interface PushApi {
  readonly url: string;
  readonly asked: Asked[];
  /** What is answered to `METHOD /path` under `/1.1`: one after the other, the last again and again. */
  readonly answers: Record<string, readonly object[]>;
  /** What is answered to any other line; absent: 404. */
  otherwise?: (line: string) => object;
  stop(): Promise<void>;
}

const answerOf = (given: object): OtherAnswer =>
  given instanceof OtherAnswer ? given : new OtherAnswer(200, JSON.stringify(given));

/** What its callers see of the push API; a fleet of its own serves it in the end-to-end tests. */
export async function startPushApi(): Promise<PushApi> {
  const asked: Asked[] = [];
  const answers: Record<string, readonly object[]> = {};
  const answer = (line: string, response: ServerResponse): void => {
    const [next, ...others] = answers[line] ?? [];
    if (others.length > 0) answers[line] = others;
    const nobody = new OtherAnswer(404, JSON.stringify({ code: 404, error: `nobody answers ${line}` }));
    const { status, text, headers } = answerOf(next ?? api.otherwise?.(line) ?? nobody);
    if (status === 0) response.destroy();
    else response.writeHead(status, headers).end(text);
  };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const line = `${request.method ?? ''} ${(request.url ?? '').replace('/1.1', '')}`;
      const body = JSON.parse(text === '' ? '{}' : text) as Record<string, unknown>;
      asked.push({ line, key: request.headers['x-lc-key']?.toString(), body });
      answer(line, response);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const api: PushApi = {
    ...{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, answers },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return api;
}
