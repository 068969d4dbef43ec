import { isJsonObject, type Json } from './json';
import { reservedNames, type PushContent } from './message';

/** What a sender should know of a push that was accepted: something in it will not do what it looks like. */
export interface PushWarning {
  readonly path: string;
  readonly message: string;
}

/** What can be said of a content without knowing who is to get it. */
export function contentWarnings({ data, sections }: PushContent): readonly PushWarning[] {
  return [
    ...reservedNames(data).map((name) => ({
      path: `data.${name}`,
      message: 'is a reserved name: vendors do not get it as an attribute',
    })),
    ...(data['silent'] !== true && Object.keys(sections).length === 0 ? emptyAlert(data['alert']) : []),
  ];
}

const NOTHING_SHOWN = 'vendors show nothing without text, and discard the message';

/** Of the object that iOS takes for an alert, other devices read its title and its body. */
function emptyAlert(alert: Json | undefined): readonly PushWarning[] {
  const isObject = isJsonObject(alert);
  const text = isObject ? (alert['body'] ?? '') : alert;
  if (typeof text !== 'string' || text.trim() !== '') return [];
  return [{ path: 'data.alert', message: `${isObject ? 'has no body' : 'is empty'}: ${NOTHING_SHOWN}` }];
}
