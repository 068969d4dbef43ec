import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const CONVERSATION = 'lobby';
const TYPES = { 'index.html': 'text/html', 'page.js': 'text/javascript', 'page.css': 'text/css' };
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;
const MENTION = /@([A-Za-z][A-Za-z0-9_-]*)/g;
const MAX_TEXT = 1000;

/** One room with Socket.IO; members who are not connected get a push. Resolves with its address. */
export async function openChat({ push, port }) {
  const http = createServer(servePage);
  const io = new Server(http);
  const room = openRoom(io, push);
  io.on('connection', (socket) => serveUser(socket, room));
  await new Promise((resolve, reject) => http.once('error', reject).listen(port, '127.0.0.1', resolve));
  const close = () => {
    io.close();
    // Browsers open connections ahead; one that never said anything would keep this process.
    http.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${http.address().port}`, close };
}

function servePage(request, response) {
  const file = request.url === '/' ? 'index.html' : request.url?.slice(1);
  if (!Object.hasOwn(TYPES, file)) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': `${TYPES[file]}; charset=utf-8` });
  return createReadStream(new URL(`page/${file}`, import.meta.url)).pipe(response);
}

function openRoom(io, push) {
  /** Everybody who has ever logged in and not out. */
  const members = new Set();
  const isOnline = (name) => (io.sockets.adapter.rooms.get(name)?.size ?? 0) > 0;
  return {
    push,
    members,
    tellMembers: () =>
      io.emit(
        'members',
        [...members].map((name) => ({ name, isOnline: isOnline(name) })),
      ),
    say(from, text) {
      io.emit('said', { from, text });
      const absent = [...members].filter((name) => name !== from && !isOnline(name));
      return pushToAbsent(push, { from, text, absent });
    },
  };
}

/** A mention gets through a mute; others of the same message are not forced. */
function pushToAbsent(push, { from, text, absent }) {
  const mentioned = new Set([...text.matchAll(MENTION)].map(([, name]) => name));
  const said = { from_client: from, message: text, push_data: { title: CONVERSATION, alert: `${from}: ${text}` } };
  const groups = [
    { offline_clients: absent.filter((name) => mentioned.has(name)), force: true },
    { offline_clients: absent.filter((name) => !mentioned.has(name)), force: false },
  ].filter(({ offline_clients: clients }) => clients.length > 0);
  return Promise.all(groups.map((group) => push.offline(CONVERSATION, { ...said, ...group })));
}

function serveUser(socket, { push, members, tellMembers, say }) {
  let name;
  /** What fails is told to whoever asked; nobody is served who wants no answer. */
  const on = (event, work) =>
    socket.on(event, async (value, answer) => {
      if (typeof answer !== 'function') return;
      try {
        if (event !== 'log in' && name === undefined) throw new Error('log in first');
        answer({ value: await work(value) });
      } catch (error) {
        answer({ error: error.message });
      }
    });
  on('log in', async ({ client, installationId }) => {
    if (typeof client !== 'string' || !NAME.test(client)) throw new Error('a name has letters, digits, _ and -');
    await push.bind(client, installationId);
    name = client;
    members.add(name);
    await socket.join(name);
    tellMembers();
    return { isMuted: await push.isMuted(CONVERSATION, name) };
  });
  on('log out', async (installationId) => {
    await push.unbind(name, installationId);
    members.delete(name);
    await socket.leave(name);
    name = undefined;
    tellMembers();
  });
  on('say', (text) => {
    if (typeof text !== 'string' || text === '' || text.length > MAX_TEXT) throw new Error('say 1 to 1000 characters');
    return say(name, text);
  });
  on('mute', (isMuted) => push.setMuted(CONVERSATION, name, isMuted === true));
  socket.on('disconnect', tellMembers);
}
