const SIMULATOR = 'http://simulator:8090';

/**
 * The files outside of the channels' folders that name channels or vendors' origins, as `{path, text}`. Of a file that is
 * written by hand only the marked part is replaced. `channels` are those of the registry, `own` is the channel beside them,
 * `read` gives the text of a file as it is.
 */
function fleetFiles({ channels, own }, read) {
  const origins = channels.flatMap(({ endpoints }) => Object.keys(endpoints));
  const workers = [...channels.map(({ name }) => name), own];
  const marked = (path, parts) => ({ path, text: parts.reduce(replacePart, read(path)) });
  return [
    marked('docker-compose.yml', [
      { name: 'origins', lines: origins.map((name) => `  ${name}: \${${name}:-}`) },
      { name: 'workers', lines: workers.flatMap(workerService) },
    ]),
    marked('.env.example', [{ name: 'origins', lines: origins.map((name) => `${name}=`) }]),
    marked('infra/prometheus/prometheus.yml', [
      { name: 'workers', lines: workers.map((name) => `          - worker-${name}`) },
    ]),
    { path: 'infra/docker/simulator.env', text: simulated(origins) },
    { path: 'infra/kubernetes/overlays/development/simulator.env', text: simulated(origins) },
  ];
}

const workerService = (name, index) => [
  ...(index === 0 ? [] : ['']),
  `  worker-${name}:`,
  '    <<: *worker',
  '    environment:',
  '      <<: *vendor-environment',
  `      CHANNEL: ${name}`,
];

const simulated = (origins) =>
  [
    '# Written by `node scripts/write-fleet.mjs` from the registry of channels; edits are lost.',
    "# Sends every vendor call to the simulator. A profile's secret must then be `sim-secret`.",
    ...origins.map((name) => `${name}=${SIMULATOR}`),
    '',
  ].join('\n');

/** What stands between `# <name>: …` and `# end of <name>` is replaced. */
function replacePart(text, { name, lines }) {
  const part = new RegExp(`^( *# ${name}: .*\\n)[^]*?(^ *# end of ${name}$)`, 'm');
  if (!part.test(text)) throw new Error(`a file lost its marks: # ${name}: … and # end of ${name}`);
  return text.replace(part, (_, begin, end) => `${begin}${lines.map((line) => `${line}\n`).join('')}${end}`);
}

module.exports = { fleetFiles };
