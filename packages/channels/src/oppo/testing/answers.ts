import { jsonAnswer, type SentMessage, type SimulatorAnswer } from '@pushfleet/channel-kit/testing';

/** A refusal, as the vendor numbers it. */
export class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export function refusable(serveRequest: () => SimulatorAnswer): SimulatorAnswer {
  try {
    return serveRequest();
  } catch (error) {
    if (error instanceof Refusal) return jsonAnswer({ code: error.code, message: error.message });
    throw error;
  }
}

export const success = (data: unknown, sent?: SentMessage): SimulatorAnswer => ({
  ...jsonAnswer({ code: 0, message: 'Success', data }),
  ...(sent ? { sent } : {}),
});
