/* global document, io, location */
const socket = io();
const element = (id) => document.getElementById(id);
let me;

const phone = () => `phone-of-${me}`;
const tell = (text) => (element('status').textContent = text);

/** Resolves with what the server answers; what went wrong is shown. */
async function ask(event, value) {
  const { value: answer, error } = await socket
    .timeout(10_000)
    .emitWithAck(event, value)
    .catch(() => ({ error: 'The chat does not answer' }));
  if (error === undefined) return answer;
  tell(error);
  throw new Error(error);
}

async function logIn() {
  const { isMuted } = await ask('log in', { client: me, installationId: phone() });
  element('mute').checked = isMuted;
  element('log-in').hidden = true;
  element('room').hidden = false;
}

element('log-in').addEventListener('submit', (event) => {
  event.preventDefault();
  me = element('name').value;
  void logIn();
});

element('say').addEventListener('submit', async (event) => {
  event.preventDefault();
  const text = element('text').value;
  element('text').value = '';
  const pushed = await ask('say', text);
  const count = (field) => pushed.reduce((sum, answer) => sum + answer[field], 0);
  tell(`“${text}”: pushed to ${count('pushed')}, muted by ${count('muted')}, unreachable ${count('unreachable')}`);
});

element('mute').addEventListener('change', async ({ target }) => {
  const isMuted = target.checked;
  await ask('mute', isMuted).catch((error) => {
    target.checked = !isMuted;
    throw error;
  });
  tell(isMuted ? 'The lobby is muted' : 'The lobby is not muted');
});

element('log-out').addEventListener('click', async () => {
  await ask('log out', phone());
  location.reload();
});

// A connection that was lost and is back.
socket.io.on('reconnect', () => me !== undefined && logIn());
socket.on('members', (members) => {
  element('members').textContent = members
    .map(({ name, isOnline }) => `${name} is ${isOnline ? 'online' : 'offline'}`)
    .join(', ');
});
socket.on('said', ({ from, text }) => {
  const line = document.createElement('li');
  line.textContent = `${from}: ${text}`;
  element('messages').append(line);
});
