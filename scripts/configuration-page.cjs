const { table } = require('./markdown-table.cjs');

const INTRO = `# Configuration

Everything is configured by environment variables. A service reads them once, when it starts; what is wrong with them is
printed together, as \`NAME: what is wrong\`, and the service leaves with 1 before it opens anything.

- A variable that is set to nothing counts as not set.
- A variable whose name is nearly that of a setting, as \`PUSH_RETENTON_MS\`, changes nothing: the log says so at the start, and which
  setting may be meant (\`no setting has this name, but one nearly has\`). Other unknown names are nobody's.
- A duration is a number of milliseconds, or \`500ms\`, \`20s\`, \`5m\`, \`2h\`, \`7d\`.
- The value of a secret appears in no log and in no error. Instead of the variable, \`NAME_FILE\` may name a file that holds it, as
  Docker and Kubernetes hand secrets over.
- \`docker-compose.yml\` hands over what \`.env.example\` lists. Others stand under \`environment:\` of a service in a
  \`docker-compose.override.yml\` beside it.
- Apps, vendor credentials and the limits of an app are no configuration: they are kept in Redis and changed through the
  admin API (\`apps/console/README.md\`).

This page is written by \`npm run build && node scripts/write-configuration.mjs\` from the schema of every app.
`;

const escaped = (text) => text.replaceAll('|', '\\|');

/** Variables by name, each with the apps that read it and what they say about it. */
function byName(apps) {
  const found = new Map();
  for (const { app, variables } of apps) {
    for (const variable of variables)
      found.set(variable.name, [...(found.get(variable.name) ?? []), { app, ...variable }]);
  }
  return [...found].map(([name, uses]) => ({ name, uses }));
}

function defaultOf([{ required, secret, default: value }]) {
  const shown = required ? '**required**' : value === undefined ? '–' : `\`${value}\``;
  return secret ? `${shown}, secret` : shown;
}

/** One sentence when all apps say the same. */
function meaningOf(uses) {
  const sentences = new Set(uses.map(({ description }) => description));
  if (sentences.size === 1) return escaped([...sentences][0]);
  return uses.map(({ app, description }) => `${app}: ${escaped(description)}`).join(' ');
}

/** `docs/configuration.md`: every variable once. `apps` is a list of `{app, variables}`, as `describeConfig` gives them. */
function configurationPage(apps) {
  const variables = byName(apps);
  const shared = variables.filter(({ uses }) => uses.length > 1);
  const own = (app) => variables.filter(({ uses }) => uses.length === 1 && uses[0].app === app);
  const sharedRows = shared.map(({ name, uses }) => [
    `\`${name}\``,
    uses.map(({ app }) => app).join(', '),
    defaultOf(uses),
    meaningOf(uses),
  ]);
  const sections = apps
    .filter(({ app }) => own(app).length > 0)
    .map(({ app }) => {
      const rows = own(app).map(({ name, uses }) => [`\`${name}\``, defaultOf(uses), meaningOf(uses)]);
      return `## ${app}\n\n${table(['variable', 'default', 'meaning'], rows)}\n`;
    });
  return [
    INTRO,
    `## Shared by several apps\n\n${table(['variable', 'read by', 'default', 'meaning'], sharedRows)}\n`,
    ...sections,
  ].join('\n');
}

module.exports = { configurationPage };
