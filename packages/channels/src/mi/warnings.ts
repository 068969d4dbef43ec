import { type ChannelMessage, type PushWarning } from '@pushfleet/domain';
import { type MiProfile } from './profile';
import { sectionFields } from './section';

const PASS_THROUGH_ENDED =
  'mi takes silent messages, but hands them to the apps of the system alone since 2022-09-12: the app may never see it';

/** Xiaomi push, pId=2766 and pId=1856. */
export function warningsFor(message: ChannelMessage, profile: MiProfile): readonly PushWarning[] {
  const own = sectionFields(message.section);
  if (isPassThrough(message, own)) return passThroughWarnings(message, profile);
  const hasReceiverTap = message.action !== undefined && profile.tap === undefined && !own['extra.notify_effect'];
  if (!hasReceiverTap) return [];
  const words = 'mi opens the app: it ended taps that the app receives itself on 2024-09-30, see the profile field tap';
  return [{ path: 'data.action', message: words }];
}

function passThroughWarnings(message: ChannelMessage, { passThrough = true }: MiProfile): readonly PushWarning[] {
  const path = message.silent ? 'data.silent' : 'mi.pass_through';
  return [{ path, message: passThrough ? PASS_THROUGH_ENDED : 'the mi profile sends no silent messages' }];
}

/** Whether the message is handed to the app instead of being shown. */
export const isPassThrough = ({ silent }: ChannelMessage, own: Readonly<Record<string, string>>): boolean =>
  (own['pass_through'] ?? (silent ? '1' : '0')) === '1';
