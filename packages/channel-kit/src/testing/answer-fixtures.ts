import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isChannelFault, type ChannelFault } from '../fault';
import type { VendorResponse } from '../vendor-http';

/** A vendor's answer with this body. */
export const responseWith = (body: string, status = 200): VendorResponse => ({
  status,
  body,
  retryAfterMs: undefined,
});

/** A page of HTML, as something between the fleet and the vendor may answer it. */
export const htmlPage = (status: number): VendorResponse => responseWith('<html></html>', status);

export interface AnswerFixtures {
  text(name: string): string;
  response(name: string, status?: number): VendorResponse;
}

/** The answers in `__fixtures__` of a channel's folder, by their file's name without its ending. */
export function answerFixtures(folder: string): AnswerFixtures {
  const text = (name: string): string => readFileSync(join(folder, '__fixtures__', `${name}.json`), 'utf8');
  return { text, response: (name, status) => responseWith(text(name), status) };
}

/** The same answers as a channel reads them after a call to three registrations. */
export function answersToThree<Read>(
  folder: string,
  readAnswer: (response: VendorResponse, registrationIds: readonly string[]) => Read,
) {
  const ids = ['regA', 'regB', 'regC'];
  const { response: fixture } = answerFixtures(folder);
  return { ids, fixture, read: (response: VendorResponse): Read => readAnswer(response, ids) };
}

/** The fault that a call throws; anything else is the test's own failure. */
export function faultThrownBy(call: () => unknown): ChannelFault {
  try {
    call();
  } catch (error) {
    if (isChannelFault(error)) return error;
    throw error;
  }
  throw new Error('a fault was expected');
}
