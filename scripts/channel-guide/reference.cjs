const { printed } = require('./printed.cjs');

const KIT = 'channel-kit/src';
const TESTING = `${KIT}/testing`;

/** The parts of the reference, and the modules of each in the order of reading. */
const PARTS = [
  ['The channel', '@pushfleet/channel-kit', ['channel', 'vendor-session', 'profile-fields', 'profile-field']],
  ['A profile', '@pushfleet/domain', ['domain/src/profile.ts']],
  ['The message', '@pushfleet/domain', ['domain/src/message.ts', 'domain/src/json.ts', 'domain/src/push-warnings.ts']],
  [
    'Verdicts and receipts',
    '@pushfleet/domain',
    ['domain/src/outcome.ts', 'domain/src/reasons.ts', 'domain/src/receipt.ts'],
  ],
  [
    'Codes, answers and faults',
    '@pushfleet/channel-kit',
    ['code-row', 'coded-answer', 'fault', 'outcomes', 'parse-answer', 'vendor-json'].map((name) => `${KIT}/${name}.ts`),
  ],
  [
    'Sessions',
    '@pushfleet/channel-kit',
    [
      ...['bearer-session', 'client-credentials', 'header-session', 'token-session', 'saved-contents'],
      ...['form-session', 'form-answer', 'credentials', 'token-cache', 'vendor-http', 'http-exchange'],
    ].map((name) => `${KIT}/${name}.ts`),
  ],
  [
    'Rules of requests',
    '@pushfleet/channel-kit',
    ['given', 'text', 'intent', 'notes', 'message-preview', 'digest', 'china-day'],
  ],
  ['Sections', '@pushfleet/channel-kit', ['section', 'section-objects', 'warn-of-names']],
  [
    'The message with `android.notification`',
    '@pushfleet/channel-kit',
    ['android-message', 'android-request', 'android-section'],
  ],
  [
    'The simulator',
    '@pushfleet/channel-kit/testing',
    [
      ...['simulator', 'open-simulator', 'fault-kinds', 'device-desk', 'token-desk', 'client-credentials-desk'],
      ...['bearer-simulator', 'strict-rules', 'wire-checks', 'android-checks', 'bounded-map'],
    ].map((name) => `${TESTING}/${name}.ts`),
  ],
  [
    'Tests of a folder',
    '@pushfleet/channel-kit/testing',
    ['answer-fixtures', 'session-rig', 'simulator-http', 'canned-vendor'].map((name) => `${TESTING}/${name}.ts`),
  ],
  [
    'Also of the domain',
    '@pushfleet/domain',
    ['access-token', 'day-ms', 'exact-json', 'limits/deep-json'].map((name) => `domain/src/${name}.ts`),
  ],
].map(([title, from, files]) => ({
  title,
  from,
  files: files.map((file) => (file.endsWith('.ts') ? file : `${KIT}/${file}.ts`)),
}));

/** The declarations as a chapter: a part for each subject, in the order of the modules. */
function referenceOf(declarations) {
  const placed = new Set(PARTS.flatMap(({ files }) => files));
  const homeless = declarations.filter(({ file }) => !placed.has(file));
  if (homeless.length > 0)
    throw new Error(`no part of the reference has ${[...new Set(homeless.map(({ file }) => file))].join(', ')}`);
  return PARTS.map(({ title, from, files }) => {
    const inOrder = files.flatMap((file) =>
      declarations.filter((one) => one.file === file).sort((a, b) => a.node.pos - b.node.pos),
    );
    return `### ${title}\n\nFrom \`${from}\`.\n\n\`\`\`ts\n${inOrder.map(({ node }) => printed(node)).join('\n\n')}\n\`\`\``;
  }).join('\n\n');
}

module.exports = { referenceOf };
