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
    ...(isEmpty(data['alert']) && data['silent'] !== true && Object.keys(sections).length === 0
      ? [{ path: 'data.alert', message: 'is empty: vendors show nothing without text, and discard the message' }]
      : []),
  ];
}

const isEmpty = (alert: unknown): boolean => typeof alert === 'string' && alert.trim() === '';
