import { SpanKind, trace } from '@opentelemetry/api';
import {
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  type Sampler,
  type SamplingResult,
} from '@opentelemetry/sdk-trace-base';

const sampled = (isKept: boolean): SamplingResult => ({
  decision: isKept ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
});

/** Keeps a share of all traces, from 0 to 1. */
export function openSampler(share: number): Sampler {
  const decided = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) });
  return {
    shouldSample(...asked) {
      const [context, , , kind] = asked;
      // Whoever calls from outside names the trace, so that neither its id nor its flag may decide. Jobs are our own.
      if (kind === SpanKind.SERVER) return sampled(Math.random() < share);
      // The queue library looks for stalled jobs twice a second on every queue: that is nobody's work.
      const isNobodys = kind === SpanKind.INTERNAL && trace.getSpanContext(context) === undefined;
      return isNobodys ? sampled(false) : decided.shouldSample(...asked);
    },
    toString: () => `Share(${share})`,
  };
}
