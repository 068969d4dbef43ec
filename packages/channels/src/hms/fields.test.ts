import { StrictRules } from '@pushfleet/channel-kit/testing';
import { FIELDS } from './fields';
import { refusalOf } from './testing/rules';

const notification = { title: 'T', body: 'B', click_action: { type: 3 } };

/** A message in which the vendor finds nothing but the name of the field. */
const messageWith: Readonly<Record<string, (field: object) => object>> = {
  message: (field) => ({ ...field, token: ['r'], android: { notification } }),
  'message.android': (field) => ({ token: ['r'], android: { ...field, notification } }),
  'message.android.notification': (field) => ({
    token: ['r'],
    android: { notification: { ...field, ...notification } },
  }),
  'message.android.notification.badge': (field) => ({
    token: ['r'],
    android: { notification: { ...notification, badge: field } },
  }),
};

test.each(Object.entries(FIELDS))('the vendor knows every field of %s that nobody is warned of', (path, fields) => {
  const refused = (name: string): boolean =>
    refusalOf({ ...messageWith[path]?.({ [name]: undefined }) }, new StrictRules({ 'system-reminder': '' })) !==
    undefined;
  expect([...fields, 'surprise'].filter(refused)).toEqual(['surprise']);
});
