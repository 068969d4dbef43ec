import { diag, DiagLogLevel } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../logger';

type Done = Parameters<SpanExporter['export']>[1];

const TELL_EVERY_MS = 60_000;
const SETTING = 'OTEL_EXPORTER_OTLP_ENDPOINT';

/** The same exporter, with a line in the log when spans are lost, once a minute while they are, and one when it works again. */
export function toldExporter(exporter: SpanExporter, log: Pick<Logger, 'info' | 'warn'>): SpanExporter {
  let lost = 0;
  let toldAt = -Infinity;
  const fail = (spans: number, error: Error | undefined): void => {
    lost += spans;
    if (performance.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = performance.now();
    log.warn({ setting: SETTING, reason: reasonOf(error), lost }, 'the receiver of traces does not take spans');
  };
  const succeed = (): void => {
    if (lost > 0) log.info({ setting: SETTING, lost }, 'the receiver of traces takes spans again');
    [lost, toldAt] = [0, -Infinity];
  };
  const told =
    (spans: number, done: Done): Done =>
    (result) => {
      if (result.code === 0) succeed();
      else fail(spans, result.error);
      done(result);
    };
  return {
    export: (spans, done) => exporter.export(spans, told(spans.length, done)),
    shutdown: () => exporter.shutdown(),
  };
}

const nothing = (): void => undefined;
const MOST_CHARACTERS = 500;

/** Logs what the exporter itself complains of, once a minute: a setting that it cannot read, an answer that is none. */
export function logComplaints(log: Pick<Logger, 'warn'>): void {
  let toldAt = -Infinity;
  const warn = (...words: unknown[]): void => {
    if (performance.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = performance.now();
    const complaint = words.filter((word) => typeof word === 'string').join(' ');
    log.warn({ complaint: complaint.slice(0, MOST_CHARACTERS) }, 'traces may be incomplete');
  };
  // Failed exports, which are its errors, are told above.
  const logger = { warn, error: nothing, info: nothing, debug: nothing, verbose: nothing };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** Of a name with several addresses Node tells the code alone; of an answer the code is the status. */
function reasonOf(error: Error | undefined): string {
  const { code, message = '' } = (error ?? {}) as { readonly code?: string | number; readonly message?: string };
  return [code, message].filter((part) => part !== undefined && part !== '').join(' ') || 'unknown';
}
