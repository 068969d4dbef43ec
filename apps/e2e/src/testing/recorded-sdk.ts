import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replay, type RecordedAnswer } from './recorded-request';

interface RecordedStep {
  readonly step: string;
  /** Which of the SDK's sets of headers it came with. */
  readonly headers: string;
  readonly line: string;
  readonly body?: string;
}

interface RecordedSocket {
  readonly login: string;
  readonly chats: readonly {
    readonly open: string;
    readonly refused: string;
  }[];
  readonly liveQuery: { readonly login: string; readonly loggedIn: string };
}

/** What one SDK sent in one session, and what it was content with on its socket. */
export interface Recording {
  readonly sdk: string;
  readonly installationId: string;
  /** As sent, but for host, connection and length. A signature holds at any age: each set has its first. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly steps: readonly RecordedStep[];
  /** Absent where the SDK has no socket. */
  readonly socket?: RecordedSocket;
}

const FOLDER = join(__dirname, '../recordings');

export const recordings: readonly Recording[] = readdirSync(FOLDER)
  .sort()
  .map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Recording);

const HOUR_MS = 3_600_000;

/** Replays steps of a recording by name; what the server names and dates are of today, all else is byte for byte. */
export class RecordedSdk {
  private objectId = 'unknown';

  constructor(
    private readonly url: string,
    readonly recording: Recording,
  ) {}

  async take(step: string): Promise<RecordedAnswer> {
    const found = this.recording.steps.find((each) => each.step === step);
    if (!found) throw new Error(`Java SDK ${this.recording.sdk} was not recorded doing this: ${step}`);
    const { headers, line, body } = found;
    const answer = await replay(this.url, {
      ...{
        line: this.filled(line),
        headers: this.recording.headers[headers] ?? [],
      },
      ...(body === undefined ? {} : { body: this.filled(body) }),
    });
    const { objectId } = answer.body;
    if (line.includes('/installations') && typeof objectId === 'string') this.objectId = objectId;
    return answer;
  }

  has(step: string): boolean {
    return this.recording.steps.some((each) => each.step === step);
  }

  private filled(text: string): string {
    const later = Date.now() + HOUR_MS;
    return text
      .replaceAll('{objectId}', this.objectId)
      .replace('{now}', new Date().toISOString())
      .replace('{inAnHour}', new Date(later).toISOString())
      .replace('{inAnHourMs}', String(later));
  }
}
