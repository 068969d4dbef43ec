const { withWritten } = require('./written-part.cjs');

const WIDTH = 118;

/** One command of a shell in lines of this width. */
function inLines(words) {
  const lines = [''];
  for (const word of words) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length <= WIDTH) lines[lines.length - 1] = line;
    else lines.push(`  ${word}`);
  }
  return lines.join(' \\\n').trim();
}

const quoted = (rule) => (/[|>~&]/.test(rule) ? `'${rule}'` : rule);

function partOf({ needed, ofCluster, spare }) {
  const commands = [...needed, ...ofCluster, ...Object.keys(spare)].sort();
  const rules = ['on', '>PASSWORD', '~pushfleet:*', '&pushfleet:*', '-@all', ...commands.map((name) => `+${name}`)];
  return [
    ...['```', inLines(['redis-cli ACL SETUSER pushfleet', ...rules.map(quoted)]), '```'],
    ...['', 'A fleet can do without these:', ''],
    ...Object.entries(spare).map(([command, then]) => `- \`${command}\`: without it ${then}.`),
    `- ${ofCluster.map((command) => `\`${command}\``).join(', ')}, where Redis is no cluster.`,
  ].join('\n');
}

/** `docs/operate.md` with the rules of a Redis user; `commands` are those of the store. */
const withRedisUser = (page, commands) =>
  withWritten(page, {
    begin: '<!-- redis-user: written by `npm run generate -- redis-user`; edits are lost. -->',
    part: partOf(commands),
    end: '<!-- end of redis-user -->',
  });

module.exports = { withRedisUser };
