/// <reference types="jest" />
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redisHarness, SECRET_KEY, unique } from '@pushfleet/testing';
import { runCli, type CliInput, type CliRun } from './run-cli';
import { startConsole } from './start-console';

const ADMIN_TOKEN = 'admin-token-of-the-tests';

export interface CliHarness {
  /** Of the console. */
  readonly url: string;
  /** One run with the console's address and token; what `env` names stands instead. */
  cli(argv: readonly string[], input?: CliInput): Promise<CliRun>;
  /** A run with `--json` that must succeed with one line and nothing else, parsed. */
  json(argv: readonly string[], input?: CliInput): Promise<Record<string, unknown>>;
  /** The id of a new app of the commercial edition. */
  anApp(): Promise<string>;
  /** The path of a file that is gone after the tests. */
  aFile(content: string | Buffer): Promise<string>;
  /** What a process of its own needs to reach the console. */
  environment(): Readonly<Record<string, string>>;
  /** A path with nothing at it; what is put there is gone after the tests. */
  aPath(): string;
}

/** The command line beside a console on a real Redis; call it once at the top of a test file. */
export function cliHarness(consoleEnv: Readonly<Record<string, string>> = {}): CliHarness {
  const harness = redisHarness();
  let url = '';
  let files = '';

  beforeAll(async () => {
    const running = await startConsole({
      ADMIN_TOKEN,
      REDIS_URL: harness.url,
      KEY_PREFIX: harness.namespace,
      SECRET_KEY,
      ...consoleEnv,
    });
    harness.onClose(() => running.stop());
    files = await mkdtemp(join(tmpdir(), 'pushfleet-cli-'));
    harness.onClose(() => rm(files, { recursive: true }));
    url = running.url;
  });

  const environment = () => ({ ADMIN_TOKEN, PUSHFLEET_URL: url });
  const cli = (argv: readonly string[], input: CliInput = {}): Promise<CliRun> =>
    runCli(argv, { ...input, env: { ...environment(), ...input.env } });
  const json = async (argv: readonly string[], input: CliInput = {}): Promise<Record<string, unknown>> => {
    const { code, out, err } = await cli([...argv, '--json'], input);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^[^\n]+\n$/);
    return JSON.parse(out) as Record<string, unknown>;
  };
  const aPath = (): string => join(files, unique('file'));
  return {
    get url() {
      return url;
    },
    cli,
    environment,
    json,
    anApp: async () => String((await json(['apps', 'create', 'Test', '--edition', 'commercial']))['id']),
    async aFile(content) {
      const path = aPath();
      await writeFile(path, content);
      return path;
    },
    aPath,
  };
}
