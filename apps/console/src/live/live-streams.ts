import { LIMITS } from '@pushfleet/domain';
import { Refusal, type HttpRequest } from '@pushfleet/http-edge';
import type { Doctor } from '../doctor/open-doctor';
import { authorise, type Caller } from '../http/access';
import type { Authenticate } from '../http/authenticate';
import { Problem } from '../http/problem';
import type { ConsolePorts } from '../ports';
import { LiveStream, type WhyOver } from './live-stream';
import { topicIn, topicKinds, type Topic, type TopicKinds } from './topics';
import { Watch } from './watch';

interface Follower {
  readonly req: HttpRequest;
  checkedAt: number;
  beatAt: number;
}

/** The streams of this process: what they show is looked at once for all of them. */
export class LiveStreams {
  private readonly kinds: TopicKinds;
  private readonly watch: Watch;
  private readonly followers = new Map<LiveStream, Follower>();
  private timer: NodeJS.Timeout | undefined;
  private ticking: Promise<void> | undefined;
  private isHurried = false;
  private isClosed = false;

  constructor(
    private readonly ports: ConsolePorts,
    private readonly reauthenticate: Authenticate,
    doctor: Doctor,
  ) {
    this.kinds = topicKinds(ports, doctor);
    this.watch = new Watch({ log: ports.log, onLooked: () => this.hurry() });
  }

  /** Throws where a topic is none, or not for this caller, and where there are too many streams. */
  open({ req, caller }: { readonly req: HttpRequest; readonly caller: Caller }, names: readonly string[]): LiveStream {
    const topics = [...new Set(names)].map((name) => this.topicFor(caller, name));
    this.forgetGone();
    this.requireRoom(caller);
    const stream = new LiveStream(topics, caller, () => this.followers.delete(stream));
    const now = performance.now();
    this.followers.set(stream, { req, checkedAt: now, beatAt: now });
    if (this.isClosed) this.end(stream, 'stopping');
    else if (!this.ticking) this.tickIn(0);
    return stream;
  }

  /** Ends every stream; their browsers come back to another process. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.watch.close();
    clearTimeout(this.timer);
    await this.ticking;
    for (const stream of this.followers.keys()) this.end(stream, 'stopping');
  }

  private topicFor(caller: Caller, name: string): Topic {
    const topic = topicIn(this.kinds, name);
    if (!topic) {
      const kinds = Object.keys(this.kinds).join(', ');
      throw new Problem('invalid', `topic: ${JSON.stringify(name)} is none; there are ${kinds}`);
    }
    authorise(caller, topic.kind.access, topic.app);
    return topic;
  }

  private requireRoom({ by }: Caller): void {
    const [most, mostOfOne] = [LIMITS.liveStreams.value, LIMITS.liveStreamsPerPerson.value];
    const own = [...this.followers.keys()].filter(({ caller }) => caller.by === by).length;
    if (own >= mostOfOne) throw tooMany(`${by} has ${own} live streams open, of ${mostOfOne}`);
    if (this.followers.size >= most) throw tooMany(`this console has ${most} live streams open, of ${most}`);
  }

  private forgetGone(): void {
    for (const [stream, { req }] of this.followers) if (req.socket.destroyed) this.followers.delete(stream);
  }

  private end(stream: LiveStream, why: WhyOver): void {
    this.followers.delete(stream);
    stream.end(why);
  }

  private tickIn(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.ticking = this.tick().finally(() => {
        this.ticking = undefined;
        const isAtOnce = this.isHurried || this.watch.lacks(this.topics());
        this.isHurried = false;
        if (!this.isClosed && this.followers.size > 0) this.tickIn(isAtOnce ? 0 : this.ports.live.tickMs);
      });
    }, ms);
  }

  /** There may be news; while a look hangs, what others found waits for the next tick. */
  private hurry(): void {
    if (this.ticking) this.isHurried = true;
    else if (this.followers.size > 0) this.tickIn(0);
  }

  private topics(): readonly Topic[] {
    return [...this.followers.keys()].flatMap(({ topics }) => topics);
  }

  private async tick(): Promise<void> {
    this.forgetGone();
    this.watch.look(this.topics());
    await Promise.all([...this.followers].map(([stream, follower]) => this.serve(stream, follower)));
  }

  private async serve(stream: LiveStream, follower: Follower): Promise<void> {
    const now = performance.now();
    const isNews = stream.isBehind(this.watch.digests);
    const isBeat = now - follower.beatAt >= this.ports.live.heartbeatMs;
    if (!isNews && !isBeat && now - follower.checkedAt < this.ports.live.tickMs) return;
    try {
      const why = await this.whyOver(stream, follower.req);
      if (why !== undefined) return this.end(stream, why);
    } catch (err) {
      // Who it is cannot be told now: nothing is said until it can.
      return this.ports.log.warn({ err }, 'a live stream waits, and others may');
    }
    follower.checkedAt = now;
    if (isNews) stream.tell(this.watch.digests);
    if (!isBeat) return;
    follower.beatAt = now;
    if (!stream.beat()) follower.req.socket.destroy();
  }

  /** Asked before every event: who was signed out, removed or given another role learns nothing more. */
  private async whyOver({ topics }: LiveStream, req: HttpRequest): Promise<WhyOver | undefined> {
    try {
      const caller = await this.reauthenticate(req);
      for (const { kind, app } of topics) authorise(caller, kind.access, app);
      return undefined;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.problem === 'unauthorised') return 'signed-out';
      if (error.problem === 'forbidden') return 'rights-changed';
      throw error;
    }
  }
}

const tooMany = (what: string): Problem => new Problem('too-many-calls', `${what}: close one, or try again later`);
