import { connect } from 'node:net';

/** Whether a Redis there serves commands; while it loads its data it does not. */
export function answersPing(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const settle = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('data', (data) => settle(data.toString().startsWith('+PONG')));
    socket.once('error', () => settle(false));
    socket.once('close', () => settle(false));
  });
}
