import { Command } from 'ioredis';

/**
 * A command with bytes among its arguments, put together from them and from one text for all that stands between two. The client
 * library goes through such a command argument by argument: about 0.1 ms for the fold of a page.
 */
export class BytesCommand extends Command {
  constructor(name: string, args: readonly (string | number | Buffer)[]) {
    super(name, [...args], { replyEncoding: 'utf8' });
  }

  override toWritable(): Buffer {
    const pieces: Buffer[] = [];
    let text = `*${this.args.length + 1}\r\n$${this.name.length}\r\n${this.name}\r\n`;
    for (const arg of this.args as readonly (string | Buffer)[]) {
      text += `$${Buffer.byteLength(arg)}\r\n`;
      if (typeof arg === 'string') text += `${arg}\r\n`;
      else {
        pieces.push(Buffer.from(text), arg);
        text = '\r\n';
      }
    }
    return Buffer.concat([...pieces, Buffer.from(text)]);
  }
}
