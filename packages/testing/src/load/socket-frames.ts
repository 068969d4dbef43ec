import { request } from 'node:http';
import type { Socket } from 'node:net';

const TEXT = 0x81;
const CLOSE = 0x88;
const MASKED = 0x80;
/** A client has to mask its frames; a mask of zeros is allowed, and leaves the text as it is. */
const MASK = Buffer.alloc(4);

/** The bytes of one frame as a client sends them, made once for however many connections. */
export function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  let head: Buffer;
  if (length < 126) head = Buffer.from([TEXT, MASKED | length]);
  else if (length < 65_536) head = Buffer.from([TEXT, MASKED | 126, length >> 8, length & 255]);
  else {
    head = Buffer.from([TEXT, MASKED | 127, 0, 0, 0, 0, 0, 0, 0, 0]);
    head.writeUInt32BE(length, 6);
  }
  return Buffer.concat([head, MASK, payload]);
}

/** Opens a WebSocket, sends the frames and resolves with the code that the other side closes with; 0: none. */
export function sendFrames(url: string, frames: readonly Buffer[], patienceMs: number): Promise<number> {
  return new Promise((resolve) => {
    const { hostname, port, pathname, search } = new URL(url);
    const headers = {
      ...{ connection: 'Upgrade', upgrade: 'websocket' },
      ...{ 'sec-websocket-version': '13', 'sec-websocket-key': Buffer.alloc(16, 7).toString('base64') },
    };
    const call = request({ hostname, port, path: pathname + search, headers });
    call.once('error', () => resolve(0));
    call.once('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    call.once('upgrade', (_answer, socket: Socket, head) => {
      const end = closeCode(socket, head, patienceMs);
      for (const frame of frames) socket.write(frame);
      void end.then(resolve);
    });
    call.end();
  });
}

function closeCode(socket: Socket, head: Buffer, patienceMs: number): Promise<number> {
  return new Promise((resolve) => {
    let heard = head;
    let code = 0;
    const timer = setTimeout(() => socket.destroy(), patienceMs);
    const read = (chunk: Buffer): void => {
      heard = Buffer.concat([heard, chunk]);
      for (let next = frameIn(heard); next; next = frameIn(heard)) {
        if (next.opcode === CLOSE && next.payload.length >= 2) code = next.payload.readUInt16BE(0);
        heard = heard.subarray(next.bytes);
      }
      if (code !== 0) socket.end();
    };
    socket.on('data', read).on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(code);
    });
    read(Buffer.alloc(0));
  });
}

interface ReadFrame {
  readonly opcode: number;
  readonly payload: Buffer;
  readonly bytes: number;
}

/** The first whole frame that a server sent, which are not masked. */
function frameIn(bytes: Buffer): ReadFrame | undefined {
  if (bytes.length < 2) return undefined;
  const [opcode = 0, short = 0] = bytes;
  const start = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < start) return undefined;
  const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : bytes.readUInt32BE(6);
  const end = start + length;
  return bytes.length < end ? undefined : { opcode, payload: bytes.subarray(start, end), bytes: end };
}
