/** One request, sent so many times. */
export interface PlannedCall {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly times?: number;
}

/** Calls that are under way at once, `width` of them. */
export interface CallRound {
  readonly calls: readonly PlannedCall[];
  readonly width: number;
}

export interface PlannedFrame {
  readonly text: string;
  readonly times?: number;
}

/** WebSockets that are open at once; each sends its frames and is closed after a while. */
export interface SocketRound {
  readonly sockets: readonly (readonly PlannedFrame[])[];
}

export type LoadRound = CallRound | SocketRound;

/** What a process of its own does to a service, round after round. */
export interface LoadPlan {
  readonly rounds: readonly LoadRound[];
  /** Begins again until so much time has passed; one pass is made in any case. */
  readonly forMs: number;
  readonly httpUrl: string;
  readonly socketUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** How often each status, or each code of a closed WebSocket, was met; 0 stands for what was cut off. */
export type LoadReport = Readonly<Record<string, number>>;
