import { ChannelFault } from '../fault';
import type { VendorHttp, VendorResponse } from '../vendor-http';
import type { VendorRequest } from '../http-exchange';
import type { VendorMisbehaviour } from './fault-kinds';
import type { ChannelSimulator, SentMessage, SimulatorAnswer, SimulatorRequest } from './simulator';

export interface MisbehaviourPlan {
  readonly kind: VendorMisbehaviour;
  /** Only requests to this path; without it, any. */
  readonly path?: string | undefined;
  /** How many requests are answered so; 1 without it. */
  readonly times?: number;
}

/** A vendor inside the process of the test: no socket, and everything that was asked and sent can be read. */
export interface SimulatorHttp extends VendorHttp {
  readonly requests: readonly SimulatorRequest[];
  /** The origin of each request. */
  readonly origins: readonly string[];
  readonly sent: readonly SentMessage[];
  misbehave(plan: MisbehaviourPlan): void;
  /** Answers every request with these words and reaches no device; `undefined` lets the vendor answer again. */
  interject(answer: SimulatorAnswer | undefined): void;
}

export function simulatorHttp(simulator: ChannelSimulator): SimulatorHttp {
  const requests: SimulatorRequest[] = [];
  const origins: string[] = [];
  const sent: SentMessage[] = [];
  let plan: MisbehaviourPlan | undefined;
  let left = 0;
  let interjection: SimulatorAnswer | undefined;

  function answer(request: SimulatorRequest): SimulatorAnswer {
    if (interjection !== undefined) return interjection;
    if (!simulator.handles(request.path)) return { status: 404, contentType: 'text/plain', body: 'not found' };
    if (plan === undefined || left === 0 || (plan.path ?? request.path) !== request.path) {
      return simulator.answer(request);
    }
    left -= 1;
    return simulator.misbehave(plan.kind, request);
  }

  return {
    requests,
    origins,
    sent,
    misbehave(next) {
      plan = next;
      left = next.times ?? 1;
    },
    interject(words) {
      interjection = words;
    },
    async request(vendorRequest) {
      if (vendorRequest.signal.aborted) throw new ChannelFault('unreachable', 'the call was aborted');
      const request = toSimulator(vendorRequest);
      requests.push(request);
      origins.push(new URL(vendorRequest.url).origin);
      const answered = answer(request);
      if (answered.sent) sent.push(answered.sent);
      return { ...toVendor(answered), isHarmless: vendorRequest.isHarmless ?? vendorRequest.method === 'GET' };
    },
    close: () => Promise.resolve(),
  };
}

function toSimulator({ method, url, headers, body }: VendorRequest): SimulatorRequest {
  const { pathname, searchParams } = new URL(url);
  const lowerCase = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  return { method, path: pathname, query: searchParams, headers: Object.fromEntries(lowerCase), body: body ?? '' };
}

const toVendor = ({ status, body }: SimulatorAnswer): VendorResponse => ({ status, body, retryAfterMs: undefined });
