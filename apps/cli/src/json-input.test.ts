import { withConsole, type Answer } from './testing/fake-console';
import { runCli } from './testing/run-cli';

/** What a command that reads standard input sends. */
function sentBy(argv: readonly string[], stdin: string): Promise<string> {
  let sent = '';
  const answer: Answer = (_req, res, body) => {
    sent = body;
    res.end('{"objectId":"p1"}');
  };
  return withConsole([answer], async (url) => {
    const app = { PUSHFLEET_INGRESS_URL: url, PUSHFLEET_APP_ID: 'app', PUSHFLEET_MASTER_KEY: 'key' };
    const { err } = await runCli(argv, { stdin, env: { PUSHFLEET_URL: url, ADMIN_TOKEN: 'token', ...app } });
    return sent || err;
  });
}

const LARGE = '1234567890123456789';
const send = ['pushes', 'send', '--data', '-', '--req-id', 'r'];

it.each([
  [send, `{"data":{"alert":"Hi","user":${LARGE}},"where":{"uid":-${LARGE}0}}`],
  [['apps', 'update', 'a', '--offline-push', '-'], `{"alert":"Hi","user":${LARGE}}`],
  [['profiles', 'put', 'a', 'mi', '_default', '--file', '-'], `{"channelId":${LARGE}}`],
])('%j sends every digit', async (argv, stdin) => {
  const inner = stdin.slice(1, -1);
  expect(await sentBy(argv, stdin)).toContain(inner);
  expect(await sentBy(argv, `\uFEFF${stdin}`)).toContain(inner);
});

it.each([
  ['{"data":{"alert":"top-secret"', 'is not JSON'],
  [`{"n":${'7'.repeat(65)}}`, 'an integer may have at most 64 digits'],
  ['["top-secret"]', 'must hold a JSON object'],
])('says what is wrong, and repeats nothing: %s', async (stdin, message) => {
  expect(await sentBy(send, stdin)).toBe(`pushfleet: standard input: ${message}\n`);
});
