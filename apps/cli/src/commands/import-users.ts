import { LIMITS } from '@pushfleet/domain';
import type { Command } from 'commander';
import { z } from 'zod';
import { RequestError } from '../errors';
import type { Io } from '../io';
import { patientRequest } from '../patient-request';
import { inPortions } from '../portions';
import { readJsonLines, type JsonLine } from '../read-json-lines';
import { addLeaf, expected, openSession, type CommonOptions, type Session } from './command';

const resultSchema = z.union([z.object({ kind: z.enum(['user', 'token']) }), z.object({ error: z.string() })]);
const answerSchema = z.looseObject({ results: z.array(resultSchema) });

/** What one request carries: the console takes bodies of at most 1 MiB. */
const PORTION = {
  items: LIMITS.importUserLines.value,
  bytes: 512 * 1024,
  bytesOf: ({ bytes }: JsonLine): number => bytes,
};

interface Tally {
  users: number;
  tokens: number;
  bad: number;
  /** The last line that the console has answered for. */
  line: number;
  /** The line in whose middle the file ends. */
  cutOff?: number;
}

export function addUserImport(imports: Command, io: Io): void {
  addLeaf(imports, {
    name: 'users',
    summary: 'take over users and their tokens from a file of JSON lines',
    examples: ['import users users.jsonl', 'import users - < users.jsonl'],
  })
    .argument('<file>', 'JSON lines; - for standard input')
    .addHelpText(
      'after',
      `
Each line is a user or a token; a token comes after its user:
  {"user_id": "u1", "name": "…", "avatar": "…", "gender": 0, "is_guest": false}
  {"user_id": "u1", "client_id": "c1", "access_token": "…", "mac_key": "…", "kid": "…", "mac_algorithm": "hmac-sha-1"}
Bad lines are reported and left out. Run it again as often as needed: a line taken over before changes nothing.
`,
    )
    .action(async (file: string, options: CommonOptions) => {
      const session = openSession(io, options);
      const tally: Tally = { users: 0, tokens: 0, bad: 0, line: 0 };
      for await (const portion of inPortions(readJsonLines(io, file), PORTION)) await send(session, portion, tally);
      const { line: _, cutOff, ...counts } = tally;
      session.show(counts, z.looseObject({}), () => `${counts.users} users, ${counts.tokens} tokens\n`);
      if (cutOff !== undefined)
        throw new RequestError(
          `${file}: ends in the middle of line ${cutOff}: it is cut off, and what follows is missing`,
        );
      if (counts.bad > 0) throw new RequestError(`${counts.bad} line(s) were left out`);
    });
}

async function send(
  { io, api }: Pick<Session, 'io' | 'api'>,
  portion: readonly JsonLine[],
  tally: Tally,
): Promise<void> {
  const report = ({ number }: JsonLine, reason: string): void => {
    tally.bad += 1;
    io.writeErr(`line ${number}: ${reason}\n`);
  };
  for (const line of portion.filter(({ isCutOff }) => isCutOff)) tally.cutOff = line.number;
  const lines = portion.filter(({ isCutOff }) => !isCutOff);
  const fits = ({ bytes }: JsonLine): boolean => bytes <= PORTION.bytes;
  for (const line of lines.filter((each) => !fits(each))) report(line, 'is too long');
  for (const line of lines.filter((each) => fits(each) && !('value' in each))) report(line, 'is not JSON');
  const sent = lines.filter((line) => fits(line) && 'value' in line);
  const results = sent.length === 0 ? [] : await resultsOf({ io, api }, sent, tally);
  sent.forEach((line, i) => {
    const result = results[i];
    if (result === undefined || 'error' in result) report(line, result?.error ?? 'was not answered');
    else tally[`${result.kind}s`] += 1;
  });
  tally.line = portion.at(-1)?.number ?? tally.line;
}

async function resultsOf({ io, api }: Pick<Session, 'io' | 'api'>, lines: readonly JsonLine[], tally: Tally) {
  try {
    const body = { lines: lines.map(({ value }) => value) };
    const request = (): Promise<unknown> => api.request('POST', ['imports', 'users'], { body });
    // Whoever begins may have named another server: that is told at once.
    const answer = await (tally.line === 0 ? request() : patientRequest(io, request));
    return expected(answerSchema, answer).results;
  } catch (cause) {
    if (!(cause instanceof RequestError)) throw cause;
    throw new RequestError(`${cause.message}\nstopped after line ${tally.line}; run it again to go on`, { cause });
  }
}
