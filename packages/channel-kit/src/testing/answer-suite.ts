/// <reference types="jest" />
import type { FaultCode } from '../fault';
import type { FormReader } from '../form-answer';
import type { VendorResponse } from '../vendor-http';
import { faultThrownBy, htmlPage, responseWith, type AnswerFixtures } from './answer-fixtures';

type Read = (response: VendorResponse) => unknown;

const codeOf = (read: Read, response: VendorResponse): FaultCode => faultThrownBy(() => read(response)).code;

/** The fixture of each name is the fault that stands beside it. */
export function describeFaults(
  read: Read,
  fixture: AnswerFixtures['response'],
  faults: Readonly<Record<string, FaultCode>>,
): void {
  test.each(Object.entries(faults))('%s is the fault %s', (name, fault) => {
    expect(codeOf(read, fixture(name))).toBe(fault);
  });
}

const OF_STATUS: readonly (readonly [status: number, fault: FaultCode])[] = [
  [200, 'unknown-outcome'],
  [400, 'message-rejected'],
  [404, 'credentials-rejected'],
  [413, 'payload-too-large'],
  [429, 'throttled'],
  [500, 'vendor-error'],
  [502, 'vendor-error'],
  [503, 'throttled'],
];

/** What a vendor with bearer tokens says by the HTTP status alone. */
export function describeStatuses(read: Read): void {
  test.each(OF_STATUS)('HTTP %d without a code is the fault %s', (status, fault) => {
    expect(codeOf(read, htmlPage(status))).toBe(fault);
  });
}

/** Answers of a vendor without tokens, and what they come to. */
export interface FormFacts {
  readonly now: number;
  /** Bodies of HTTP 200 that do not say whether the message was taken. */
  readonly unread: readonly string[];
  /** To a check of right credentials, of wrong ones, and one that says nothing about them. */
  readonly right: VendorResponse;
  readonly wrong: VendorResponse;
  readonly throttled: VendorResponse;
  readonly verdict: { readonly vendorCode: string; readonly vendorMessage: string };
}

/** What holds for the answers of every vendor without tokens. */
export function describeFormAnswers({ readAnswer, readCheck }: FormReader, facts: FormFacts): void {
  const { now, unread, right, wrong, throttled, verdict } = facts;
  const sent = { registrationIds: ['a', 'b'], truncated: false, now };
  const read: Read = (response) => readAnswer(response, sent);

  test.each(unread)('the answer %s may stand for a message that was taken', (body) => {
    expect(codeOf(read, responseWith(body))).toBe('unknown-outcome');
  });

  test('without the words of the vendor the HTTP status decides', () => {
    for (const status of [502, 503]) expect(codeOf(read, htmlPage(status))).toBe('vendor-error');
    expect(codeOf(read, { status: 429, body: '', retryAfterMs: 2000 })).toBe('throttled');
  });

  test('the credential check tells right from wrong and throws when it learns neither', () => {
    expect(readCheck(right, now)).toEqual({ ok: true });
    expect(readCheck(wrong, now)).toEqual({ ok: false, ...verdict });
    expect(codeOf((response) => readCheck(response, now), throttled)).toBe('throttled');
  });
}
