// A service for run-service.test.ts: `node service.cjs <compiled kit> <scenario>`; says what happens on stdout.
const [kit, scenario] = process.argv.slice(2);
const { runService } = require(`${kit}/run-service.js`);
const { ConfigError } = require(`${kit}/config-error.js`);
const { writeSync } = require('node:fs');

const say = (line) => writeSync(1, `${line}\n`);
/** What a process does that takes its signals first and then loads modules for a while. */
const loadSlowly = () => {
  const { signals } = require(`${kit}/signals.js`);
  say('ready');
  for (const end = Date.now() + 600; Date.now() < end;);
  return signals;
};
const never = () => new Promise(() => {});
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const quick = { drainGraceMs: 50, deadlineMs: 150 };

const openTwo = ({ onClose }) => {
  onClose('first', () => say('close first'));
  onClose('second', () => say('close second'));
};

const scenarios = {
  clean: [
    async (context) => {
      context.onStopping(() => say(`stopping ${context.stopping.aborted} cutoff ${context.cutoff.aborted}`));
      openTwo(context);
      context.announce({ urls: { ingress: 'http://127.0.0.1:1' } });
    },
  ],
  failingClose: [
    async (context) => {
      openTwo(context);
      context.onClose('third', () => Promise.reject(new Error('third is stuck')));
    },
  ],
  slowDrain: [
    async ({ onClose, cutoff }) => {
      onClose('vendor call', async () => {
        await later(20);
        say(`drained with cutoff ${cutoff.aborted}`);
        await new Promise((resolve) => cutoff.addEventListener('abort', resolve));
        say('cut off');
      });
    },
    { drainGraceMs: 60, deadlineMs: 5_000 },
  ],
  longDrain: [
    async ({ onClose, drainWithin, cutoff }) => {
      drainWithin(60_000);
      onClose('devices', async () => {
        await later(300);
        say(`drained with cutoff ${cutoff.aborted}`);
      });
    },
    quick,
  ],
  stuck: [async ({ onClose }) => onClose('stuck', never), quick],
  patient: [async ({ onClose }) => onClose('stuck', never)],
  failedStart: [
    async (context) => {
      openTwo(context);
      throw new Error('no Redis here');
    },
  ],
  badConfig: [
    async (context) => {
      openTwo(context);
      throw new ConfigError(['REDIS_URL: is required', 'SECRET_KEY: is required']);
    },
  ],
  signalDuringStart: [
    async (context) => {
      openTwo(context);
      say('ready');
      await new Promise((resolve) => context.stopping.addEventListener('abort', resolve));
      throw new Error('Redis was closed under the start');
    },
  ],
  signalWhileOpening: [
    async ({ onClose }) => {
      onClose('redis', () => say('close redis'));
      say('ready');
      await later(300);
      onClose('watch', () => say('close watch'));
      say('opened');
    },
  ],
  signalDuringEndlessStart: [
    async (context) => {
      openTwo(context);
      say('ready');
      await never();
    },
  ],
  signalWhileLoading: [async (context) => openTwo(context), () => ({ signals: loadSlowly() })],
  exception: [
    async () =>
      void setTimeout(() => {
        throw new Error('a bug');
      }, 20),
  ],
  rejection: [async () => void setTimeout(() => Promise.reject(new Error('a forgotten promise')), 20)],
};

const [start, options] = scenarios[scenario];
const alive = setInterval(() => {}, 1_000);
void runService(
  'fixture',
  async (context) => {
    await start(context);
    context.onClose('alive', () => clearInterval(alive));
    say('ready');
  },
  typeof options === 'function' ? options() : options,
);
