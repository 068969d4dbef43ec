export { acceptedBy } from './accepted';
export { jsonAnswer, NOTHING, type Answer, type Rest } from './answer';
export { diagnose, headersOf, type Diagnosis, type Dialect } from './dialect';
export { Edge, type EdgeLimits, type Endpoint, type Exchange } from './edge';
export { edgeLimitsOf } from './limits';
export { openGuessBrake } from './guess-brake';
export { paramOf, pathOf, type HttpRequest } from './http-request';
export { openEdgeMetrics, type EdgeMetrics } from './metrics';
export { COMMON_PROBLEMS, type ProblemRow } from './problem-row';
export { openRateLimit } from './rate-limit';
export { openStreamTerm } from './stream-term';
export { objectOf } from './read-body';
export {
  jsonSchemaOf,
  OPENAPI_LICENSE,
  type JsonSchema,
  type OpenApiBody,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
} from './openapi';
export { openApiPaths, schemaRef, type DocumentedOperation } from './openapi-operations';
export { WORDS } from './openapi-words';
export { referenceEndpoints } from './reference';
export { MethodRefusal, Refusal, type EdgeProblem } from './refusal';
export { anybody, openRouter, type Method, type Route } from './router';
export { openEdgeServer, type EdgeServerOptions } from './server';
