import { LIMITS } from '@pushfleet/domain';

const MAX_BYTES = LIMITS.oidcAnswerBytes.value;

type Fetch = (url: string, request: RequestInit) => Promise<Response>;

/** What a provider answers, of a size that does no harm; what still goes on ends with the process. */
export const boundedFetch =
  (stopping: AbortSignal): Fetch =>
  async (url, request) => {
    const signal = request.signal ? AbortSignal.any([request.signal, stopping]) : stopping;
    const { status, headers, body } = await fetch(url, { ...request, signal });
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += part.length;
      if (bytes > MAX_BYTES) throw new TypeError(`the answer has more than ${MAX_BYTES} bytes`);
      parts.push(part);
    }
    return new Response(bytes === 0 ? null : Buffer.concat(parts), { status, headers });
  };
