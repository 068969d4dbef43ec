import { EXAMPLE_AT, type Operations } from './operation';

const SOCKETS = { server: 'wss://push.example.com/a', secondary: 'wss://push.example.com/b' };
const text = { type: 'string' } as const;
const sockets = { ttl: { type: 'integer' }, server: text, secondary: text } as const;

export const serviceOperations: Operations = {
  'GET /1.1/date': {
    ...{ id: 'date', tag: 'service', summary: 'Time of the server', key: 'none', problems: ['too-many-calls'] },
    answer: {
      ...{ status: 200, description: 'Now.', example: { __type: 'Date', iso: EXAMPLE_AT } },
      schema: { type: 'object', required: ['__type', 'iso'], properties: { __type: { const: 'Date' }, iso: text } },
    },
  },
  'GET /v1/route': {
    ...{ id: 'route', tag: 'devices and vendors', summary: 'Where devices open their WebSockets', key: 'none' },
    ...{ description: 'The same for every app; asked before anybody can authenticate.', problems: [] },
    answer: {
      ...{
        status: 200,
        description: 'Two gateways, which may be the same.',
        example: { groupId: 'g0', ttl: 3600, ...SOCKETS },
      },
      schema: {
        type: 'object',
        required: ['groupId', 'ttl', 'server', 'secondary'],
        properties: { groupId: text, ...sockets },
      },
    },
  },
  'GET /2/route': {
    ...{ id: 'appRoute', tag: 'devices and vendors', summary: 'The hosts of all services', key: 'none', problems: [] },
    answer: {
      ...{ status: 200, description: 'One host for all of them.' },
      schema: {
        type: 'object',
        required: ['ttl', 'api_server', 'push_server'],
        properties: { ...sockets, api_server: text, push_server: text },
      },
      example: { ttl: 3600, api_server: 'push.example.com', push_server: 'push.example.com', ...SOCKETS },
    },
  },
  'POST /push/v1/callback/:channel/:appId/:profile/:key': {
    ...{ id: 'receipts', tag: 'devices and vendors', summary: 'Takes the receipts of a vendor', key: 'path' },
    description:
      'The address is the `receiptUrl` of a profile. Body and answer have the form of the vendor, who may sign besides. What is not understood changes nothing.',
    body: { schema: {}, example: { statuses: [{ token: 'registration-1', status: 0 }] }, contentType: '*/*' },
    answer: {
      ...{ status: 200, description: 'In the form that the vendor expects.', schema: {}, contentType: '*/*' },
      example: { code: '0', message: 'success' },
    },
    problems: ['route-unknown', 'unauthorised', 'too-many-calls', 'malformed-url'],
  },
  'GET /openapi.json': {
    ...{ id: 'openApi', tag: 'service', summary: 'This reference for programs', key: 'none', problems: [] },
    answer: {
      ...{
        status: 200,
        description: 'An OpenAPI 3.1 document.',
        example: { openapi: '3.1.0', info: { title: 'Push API 1.1' }, paths: {} },
      },
      schema: { type: 'object', required: ['openapi', 'info', 'paths'] },
    },
  },
  'GET /docs': {
    ...{ id: 'docs', tag: 'service', summary: 'This reference for readers', key: 'none', problems: [] },
    answer: {
      ...{ status: 200, description: 'One page.', contentType: 'text/html', schema: text, example: '<!doctype html>…' },
    },
  },
};
