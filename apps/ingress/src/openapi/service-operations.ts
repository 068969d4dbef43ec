import { RECEIPT_ROUTE } from '@pushfleet/domain';
import { EXAMPLE_AT, type Operations } from './operation';

const SOCKETS = { server: 'wss://push.example.com/a', secondary: 'wss://push.example.com/b' };
const text = { type: 'string' } as const;
const instant = { type: 'string', format: 'date-time' } as const;
const sockets = { ttl: { type: 'integer' }, server: text, secondary: text } as const;

/** Bodies are read as what they are, whatever content type they claim. */
const RECEIPTS = {
  description: 'hms and honor: `statuses`; oppo: a list; vivo, and others in places: reports by their id.',
  type: ['object', 'array'],
  additionalProperties: true,
  items: {},
} as const;
const RECEIPT_FORM = {
  schema: {
    type: 'object',
    properties: {
      data: { ...text, description: 'mi: reports by message id, as JSON.' },
      cb: { ...text, description: 'mz: reports by message id, as JSON.' },
      access_token: { ...text, description: 'mz: the `receiptToken` of the profile.' },
    },
    additionalProperties: true,
  },
  example: { data: '{"m1":{"type":1,"targets":"registration-1"}}' },
} as const;
const VENDOR_REPLY = {
  type: 'object',
  minProperties: 1,
  properties: { code: { type: ['string', 'integer'] }, result: { type: 'integer' }, message: text },
  additionalProperties: true,
} as const;

export const serviceOperations: Operations = {
  'GET /1.1/date': {
    id: 'date',
    tag: 'service',
    summary: 'Time of the server',
    key: 'none',
    problems: ['too-many-calls'],
    answer: {
      status: 200,
      description: 'Now.',
      example: { __type: 'Date', iso: EXAMPLE_AT },
      schema: { type: 'object', required: ['__type', 'iso'], properties: { __type: { const: 'Date' }, iso: instant } },
    },
  },
  'GET /v1/route': {
    id: 'route',
    tag: 'devices and vendors',
    summary: 'Where devices open their WebSockets',
    key: 'none',
    description: 'The same for every app; asked before anybody can authenticate.',
    problems: [],
    answer: {
      status: 200,
      description: 'Two gateways, which may be the same.',
      example: { groupId: 'g0', ttl: 3600, ...SOCKETS },
      schema: {
        type: 'object',
        required: ['groupId', 'ttl', 'server', 'secondary'],
        properties: { groupId: text, ...sockets },
      },
    },
  },
  'GET /2/route': {
    id: 'appRoute',
    tag: 'devices and vendors',
    summary: 'The hosts of all services',
    key: 'none',
    problems: [],
    answer: {
      status: 200,
      description: 'One host for all of them.',
      schema: {
        type: 'object',
        required: ['ttl', 'api_server', 'push_server'],
        properties: { ...sockets, api_server: text, push_server: text },
      },
      example: { ttl: 3600, api_server: 'push.example.com', push_server: 'push.example.com', ...SOCKETS },
    },
  },
  [`POST ${RECEIPT_ROUTE}`]: {
    id: 'receipts',
    tag: 'devices and vendors',
    summary: 'Takes the receipts of a vendor',
    key: 'path',
    description:
      'The address is the `receiptUrl` of a profile. Body and answer have the form of the vendor, who may sign besides. What is not understood changes nothing.',
    body: {
      schema: RECEIPTS,
      example: { statuses: [{ token: 'registration-1', status: 0 }] },
      isOptional: true,
      otherForms: { 'application/x-www-form-urlencoded': RECEIPT_FORM },
    },
    answer: {
      status: 200,
      description: 'In the form that the vendor expects.',
      schema: VENDOR_REPLY,
      example: { code: '0', message: 'success' },
      otherForms: { 'text/plain': { schema: text, example: 'ok' } },
    },
    refusals: {
      400: {
        description: 'oppo and vivo: the body is none of their reports.',
        schema: VENDOR_REPLY,
        example: { code: 400 },
      },
    },
    problems: ['route-unknown', 'unauthorised', 'too-many-calls', 'malformed-url'],
  },
  'GET /openapi.json': {
    id: 'openApi',
    tag: 'service',
    summary: 'This reference for programs',
    key: 'none',
    problems: [],
    answer: {
      status: 200,
      description: 'An OpenAPI 3.1 document.',
      example: { openapi: '3.1.0', info: { title: 'Push API 1.1' }, paths: {} },
      schema: { type: 'object', required: ['openapi', 'info', 'paths'] },
    },
  },
  'GET /docs': {
    id: 'docs',
    tag: 'service',
    summary: 'This reference for readers',
    key: 'none',
    problems: [],
    answer: {
      status: 200,
      description: 'One page.',
      contentType: 'text/html',
      schema: text,
      example: '<!doctype html>…',
    },
  },
  'GET /docs/:file': {
    id: 'docsFile',
    tag: 'service',
    summary: 'A file of that page',
    key: 'none',
    problems: ['route-unknown'],
    answer: {
      status: 200,
      description: 'Scripts, styles, and the document that it shows.',
      schema: text,
      contentType: 'text/javascript',
      example: 'SwaggerUIBundle(…);',
      otherForms: {
        'text/css': { schema: text, example: 'body { margin: 0; }' },
        'application/json': { schema: {}, example: { openapi: '3.1.0' } },
      },
    },
  },
  'GET /': {
    id: 'root',
    tag: 'service',
    summary: 'The way to this reference',
    key: 'none',
    problems: [],
    answer: {
      status: 302,
      description: 'It is at `/docs`.',
      contentType: 'text/plain',
      schema: text,
      example: '',
      headers: { Location: { description: 'Relative to this address.', schema: text } },
    },
  },
};
