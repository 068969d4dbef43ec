export { jsonAnswer, NOTHING, type Answer } from './answer';
export { type Payer } from './body-memory';
export { diagnose, headersOf, type Diagnosis, type Dialect } from './dialect';
export { Edge, type EdgeLimits, type EdgePorts, type Endpoint, type Exchange } from './edge';
export { edgeLimitsOf } from './limits';
export { openGuessBrake } from './guess-brake';
export { FairGate, type GateLimits } from './fair-gate';
export { paramOf, pathOf, type HttpRequest } from './http-request';
export { openEdgeMetrics, type EdgeMetrics } from './metrics';
export { openRateLimit } from './rate-limit';
export { parseBody } from './parse-body';
export { objectOf, parseJson } from './read-body';
export {
  openApiPaths,
  schemaRef,
  type DocumentedForm,
  type DocumentedOperation,
  type DocumentedParameter,
  type OperationRules,
} from './openapi-operations';
export { referenceEndpoints, type ReferenceEndpoints } from './reference';
export { CallerGone, MethodRefusal, Refusal, type EdgeProblem } from './refusal';
export { anybody, openRouter, type Method, type Route } from './router';
export { openEdgeServer, type EdgeServerOptions } from './server';
