import { setTimeout as delay } from 'node:timers/promises';
import type { DemoApp, Fleet } from '../fleet';

const PAUSE_MS = 250;

/** Pushes and look-ups, again and again, whatever becomes of them. */
export class SteadyLoad {
  private isOver = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly fleet: Fleet,
    private readonly app: DemoApp,
    /** Installations that get a push of their own each time. */
    private readonly addressed: readonly string[],
  ) {}

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isOver) {
      const sent = [this.campaign(), ...this.addressed.map((id) => this.direct(id))];
      await Promise.allSettled([...sent, this.comeBack(), this.lookUp()]);
      await delay(PAUSE_MS);
    }
  }

  private campaign(): Promise<unknown> {
    return this.fleet.push(this.app, { data: { alert: 'to all' }, flow_control: 1000 });
  }

  private direct(installationId: string): Promise<unknown> {
    return this.fleet.push(this.app, { where: { installationId }, data: { alert: 'to one' } });
  }

  /** The vendor calls it gone at every push, and it registers again each time. */
  private comeBack(): Promise<unknown> {
    const device = { deviceType: 'android', installationId: 'gone', vendor: 'HMS', registrationId: 'gone-hms' };
    return this.fleet.call(this.app, ['POST', '/installations'], device);
  }

  /** Well-formed, with a token that nobody has: looked up, counted and refused. */
  private lookUp(): Promise<unknown> {
    const ts = Math.floor(Date.now() / 1000);
    const authorization = `MAC id="nobody",ts="${ts}",nonce="${Math.random()}",mac="${Buffer.alloc(20).toString('base64')}"`;
    const url = `${this.fleet.url('user-info', 'userInfo')}/api/v1/user/info?client_id=none`;
    return fetch(url, { headers: { authorization } }).then((answer) => answer.text());
  }
}
