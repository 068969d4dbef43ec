import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from './testing/run-cli';

const README = readFileSync(join(__dirname, '../README.md'), 'utf8');

const helpOf = async (...words: readonly string[]): Promise<string> => {
  const { code, out } = await runCli([...words, '--help']);
  expect({ words, code }).toEqual({ words, code: 0 });
  return out;
};

const commandsIn = (help: string): readonly string[] =>
  [...(help.split('\nCommands:\n')[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z][a-z-]*)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');

/** The verbs of every command by its name; none where it is no group. */
async function verbsByCommand(): Promise<ReadonlyMap<string, readonly string[]>> {
  const verbs = new Map<string, readonly string[]>();
  for (const name of commandsIn(await helpOf()))
    verbs.set(name, name === 'serve' ? [] : commandsIn(await helpOf(name)));
  return verbs;
}

test('help shows examples, the environment and the exit codes', async () => {
  const help = await helpOf();
  for (const word of ['PUSHFLEET_URL', 'ADMIN_TOKEN', 'Exit codes', '$ pushfleet apps create'])
    expect(help).toContain(word);
});

test('the help of every command shows --json and an example of this command', async () => {
  const commands = [...(await verbsByCommand())].flatMap(([name, verbs]) => [
    ...(verbs.length === 0 || name === 'devices' ? [name] : []),
    ...verbs.map((verb) => `${name} ${verb}`),
  ]);
  expect(commands.length).toBeGreaterThan(60);
  // The launcher starts `serve` as a program of its own.
  for (const command of commands.filter((name) => name !== 'serve')) {
    const help = await helpOf(...command.split(' '));
    expect(help).toContain('--json');
    expect(help).toContain(`$ pushfleet ${command}`);
  }
});

test('the README names every command, and each group with its verbs', async () => {
  const rows = [...README.matchAll(/^\| `([a-z-]+)` +\| (.+) \|$/gm)].map(
    ([, group = '', cell = '']) => [group, [...cell.matchAll(/`([a-z-]+)`/g)].map(([, verb]) => verb).sort()] as const,
  );
  const commands = [...(await verbsByCommand())];
  const groups = commands.filter(([, verbs]) => verbs.length > 0);
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(groups.map(([name, verbs]) => [name, [...verbs].sort()])),
  );
  const others = commands.filter(([, verbs]) => verbs.length === 0).map(([name]) => name);
  expect(others.filter((name) => !README.includes(`\`pushfleet ${name}`))).toEqual([]);
});
