import { InvalidInput } from '@pushfleet/domain';
import { type ApiCall, type ApiEndpoint } from '../http/api-call';
import { Refusal } from '../http/problem';
import { requireKnown } from '../http/strict-query';
import { type Preflight, type PreflightWish } from '../preflight/preflight';

/** Answers where a pre-flight is that took longer than its caller waited. */
export const preflightStateEndpoint = ({ resume }: Preflight): ApiEndpoint => ({
  route: 'preflight',
  handle: (call) => resume(call.caller.app, call.param('id')),
});

/** What a call asks of a pre-flight; undefined when it asks for a push. */
export function wishOf(call: ApiCall, isPreflight: boolean): PreflightWish | undefined {
  if (!isSet(call, 'preflight') && !isPreflight) {
    if (call.query.has('exact')) refuse('exact: only with preflight=1; without that, it is a push');
    return undefined;
  }
  if (!call.caller.isMaster) throw new Refusal('not-for-clients', 'A pre-flight needs the master key.');
  requireKnown(call.query, ['preflight', 'exact'], 'parameter of a pre-flight');
  return { isExact: isSet(call, 'exact'), signal: () => call.signal() };
}

/** Neither a slip of the pen nor a value that says no may be taken for a push. */
function isSet({ query }: ApiCall, name: string): boolean {
  const values = query.getAll(name);
  if (values.some((value) => value !== '1')) refuse(`${name}: may only be 1; leave it out otherwise`);
  return values.length > 0;
}

function refuse(message: string): never {
  throw new InvalidInput('wrong-type', message);
}
