import { once } from 'node:events';
import { createServer } from 'node:net';
import { Problem } from './problem.mjs';

/** Whether nobody has it, by taking all of them at once: two variables with one port are found too. */
export async function claimPorts(wanted, { env, host }) {
  const servers = [];
  const problems = [];
  try {
    const ports = {};
    for (const { variable, usual } of wanted) {
      try {
        const port = portOf(env[variable], variable, usual);
        const server = await (port === 0 ? takeAny({ variable, host }) : take({ variable, port, host }));
        servers.push(server);
        ports[variable] = server.address().port;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        problems.push(error.message);
      }
    }
    // All at once: each would cost whoever frees them one more start.
    if (problems.length > 0) throw new Problem(problems.join('\n'));
    return ports;
  } finally {
    await Promise.all(servers.map(closed));
  }
}

export async function freePort(host) {
  const server = await takeAny({ variable: 'port', host });
  const { port } = server.address();
  await closed(server);
  return port;
}

function portOf(text, variable, usual) {
  if (text === undefined || text.trim() === '') return usual;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Problem(`${variable}: must be a port number from 0 to 65535, not ${JSON.stringify(text)}`);
}

/** Below those that systems give out by themselves: a process takes its port long after it was chosen. */
const [FIRST_FREE, MOST_FREE] = [10_000, 20_000];
/** Launchers that choose at the same time begin at different places. */
const STEP = 61;

let next = (process.pid * STEP) % (MOST_FREE - FIRST_FREE);

async function takeAny({ variable, host }) {
  for (;;) {
    const port = FIRST_FREE + next;
    next += 1;
    try {
      return await take({ variable, port: port < MOST_FREE ? port : 0, host });
    } catch (error) {
      if (error.cause?.code !== 'EADDRINUSE') throw error;
    }
  }
}

const RULES = {
  EADDRINUSE: ({ variable, port }) =>
    `${variable}: port ${port} is already in use. Free it, or set ${variable} to another port; 0 takes any free one.`,
  EACCES: ({ variable, port }) => `${variable}: port ${port} may not be opened by this user`,
  EADDRNOTAVAIL: ({ host }) => `BIND_ADDRESS: ${host} is not an address of this machine`,
};

async function take(request) {
  const server = createServer();
  server.listen(request.port, request.host);
  try {
    await once(server, 'listening');
    return server;
  } catch (cause) {
    throw new Problem(RULES[cause.code]?.(request) ?? `${request.variable}: ${cause.message}`, { cause });
  }
}

const closed = (server) => new Promise((resolve) => server.close(resolve));
