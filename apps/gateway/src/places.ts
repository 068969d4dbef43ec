import type { Connection } from './connection';
import type { Identity } from './session';

/** An installation and the connection that holds it. */
export interface Place {
  readonly connection: Connection;
  readonly identity: Identity;
  /** Number of the login: of two for one installation, the greater came later. */
  readonly login: number;
  renewedAt: number;
}

/** Which installation is on which connection of this process. A key made of both ids would cost more than the place. */
export class Places implements Iterable<Place> {
  private readonly byApp = new Map<string, Map<string, Place>>();

  get size(): number {
    return [...this.byApp.values()].reduce((sum, ofApp) => sum + ofApp.size, 0);
  }

  get({ app, installationId }: Identity): Place | undefined {
    return this.byApp.get(app)?.get(installationId);
  }

  /** Answers what was there before. */
  put(place: Place): Place | undefined {
    const { app, installationId } = place.identity;
    const ofApp = this.byApp.get(app) ?? new Map<string, Place>();
    const former = ofApp.get(installationId);
    this.byApp.set(app, ofApp.set(installationId, place));
    return former;
  }

  /** Does nothing when another connection took the installation over. */
  remove(connection: Connection, identity: Identity): void {
    if (this.get(identity)?.connection !== connection) return;
    const ofApp = this.byApp.get(identity.app);
    ofApp?.delete(identity.installationId);
    if (ofApp?.size === 0) this.byApp.delete(identity.app);
  }

  *[Symbol.iterator](): Iterator<Place> {
    for (const ofApp of this.byApp.values()) yield* ofApp.values();
  }
}
