import { InvalidInput } from '@pushfleet/domain';
import { closeServer, createLogger, listen } from '@pushfleet/service-kit';
import express, { type RequestHandler } from 'express';
import { createServer } from 'node:http';
import { answerProblems } from './answer-problems';

async function answerTo(error: Error): Promise<{ status: number; body: unknown }> {
  const log = createLogger({ LOG_LEVEL: 'silent', LOG_TO: 'stderr' }, 'console');
  const routes: RequestHandler = (_req, _res, next) => next(error);
  const app = express().use(answerProblems({ log, isStoreReachable: async () => true }, routes));
  const server = createServer(app);
  const { url } = await listen(server, { port: 0, host: '127.0.0.1', variable: 'CONSOLE_PORT' });
  const response = await fetch(url);
  const answer = { status: response.status, body: await response.json() };
  server.closeAllConnections();
  await closeServer(server);
  return answer;
}

it.each([
  [new InvalidInput('invalid-query', 'where: a sub-query finds more than 1000'), 400, 111],
  [new InvalidInput('too-large', 'an installation may hold at most 65536 bytes'), 413, 413],
] as const)('what a rule of the fleet refuses is the fault of the caller', async (error, status, code) => {
  expect(await answerTo(error)).toEqual({ status, body: { code, error: error.message } });
});

it('anything else is a defect that tells nothing', async () => {
  const { status, body } = await answerTo(new Error('secret-value'));
  expect([status, JSON.stringify(body)]).toEqual([500, expect.not.stringContaining('secret-value')]);
});
