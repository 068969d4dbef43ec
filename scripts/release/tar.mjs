import { gzipSync } from 'node:zlib';
import { Problem } from '../launch/problem.mjs';

const BLOCK = 512;
/** Where gzip tells the system that it ran on. */
const GZIP_SYSTEM = 9;
const UNKNOWN_SYSTEM = 255;

/**
 * A gzipped tar (POSIX ustar) of `{ path, data, isExecutable }`. What it depends on is its content and `seconds`, the time
 * of all files: it tells no owner, machine or order of folders, so that anybody can make the same bytes.
 */
export function archiveOf(files, seconds) {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const blocks = sorted.flatMap((file) => [headerOf(file, seconds), file.data, paddingOf(file.data)]);
  const gzipped = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 });
  gzipped[GZIP_SYSTEM] = UNKNOWN_SYSTEM;
  return gzipped;
}

const paddingOf = ({ length }) => Buffer.alloc((BLOCK - (length % BLOCK)) % BLOCK);

function headerOf({ path, data, isExecutable }, seconds) {
  const { prefix, name } = split(path);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 100);
  header.write(octal(isExecutable ? 0o755 : 0o644, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(data.length, 12), 124);
  header.write(octal(seconds, 12), 136);
  // The sum is taken with spaces in its own place.
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  header.write(prefix, 345, 155);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 7)} `, 148);
  return header;
}

const octal = (number, width) => `${number.toString(8).padStart(width - 1, '0')}\0`;

/** A name of more than 100 bytes is told in two parts, which meet at a slash. */
function split(path) {
  if (Buffer.byteLength(path) <= 100) return { prefix: '', name: path };
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(name) <= 100) return { prefix, name };
  }
  throw new Problem(`${path}: the name is too long for an archive`);
}
