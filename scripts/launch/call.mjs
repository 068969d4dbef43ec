import { Problem } from './problem.mjs';

const TIMEOUT_MS = 10_000;

/** A JSON caller of one public API; any status outside `expected` is a problem that shows the answer. */
export function openCaller({ origin, headers, lifeline }) {
  return async (method, path, { body, expected = [200, 201] } = {}) => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    // One without a listener is lost to the garbage collector.
    timeout.addEventListener('abort', () => undefined);
    const signal = AbortSignal.any([lifeline.signal, timeout]);
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    }).catch((cause) => {
      lifeline.signal.throwIfAborted();
      throw new Problem(`${method} ${origin}${path} failed: ${cause.cause?.message ?? cause.message}`, { cause });
    });
    const text = await response.text();
    if (!expected.includes(response.status)) {
      throw new Problem(`${method} ${origin}${path} was answered with ${response.status}: ${text}`);
    }
    return { status: response.status, body: JSON.parse(text) };
  };
}
