import type { DeviceDesk } from './device-desk';
import type { VendorMisbehaviour } from './fault-kinds';
import type { ChannelSimulator, SimulatorAnswer, SimulatorRequest } from './simulator';
import type { TokenDesk } from './token-desk';

/** What a vendor says when something is wrong with it; a kind that is left out is answered as ever. */
export type WrongAnswers = Readonly<Partial<Record<Exclude<VendorMisbehaviour, 'partial'>, SimulatorAnswer>>>;

export interface SimulatedVendor extends Omit<ChannelSimulator, 'misbehave'> {
  readonly desk: DeviceDesk;
  /** Absent where the vendor grants none. */
  readonly tokens?: Pick<TokenDesk, 'expireAll'>;
  /** The answers of a vendor in trouble, to this path. */
  wrongAnswers(path: string): WrongAnswers;
}

/** A simulator whose vendor misbehaves as every vendor does: leaves devices out, forgets tokens, answers with trouble. */
export function openSimulator({ desk, tokens, wrongAnswers, ...vendor }: SimulatedVendor): ChannelSimulator {
  return {
    ...vendor,
    misbehave(kind: VendorMisbehaviour, request: SimulatorRequest) {
      if (kind === 'partial') return desk.partly(() => vendor.answer(request));
      if (kind === 'token-expired') tokens?.expireAll();
      return wrongAnswers(request.path)[kind] ?? vendor.answer(request);
    },
  };
}
