import { Button, Group, Select } from '@mantine/core';
import type { SearchProps } from '../../api/find-page';
import type { PushWish } from '../../api/find-pushes';
import { OWN, useChannelName, useChannels } from '../../api/use-channels';
import { ChoiceField, TextField } from '../../parts/fields';
import { Form } from '../../parts/form';
import { useKept } from '../../parts/use-kept';
import { useWords } from '../../words/language';

const STATUSES = ['anyStatus', 'scheduled', 'in-queue', 'done', 'error', 'cancelled'] as const;
const RTM = 'rtm';

type PushSearchProps = SearchProps<PushWish> & { readonly id: string };

/** What the list of pushes is about: a choice holds at once, a text when it is entered. */
export function PushSearch({ id, wish, onWish }: PushSearchProps) {
  const t = useWords();
  const { form: typed, change, forget } = useKept(`pushes of ${id}`, { of: wish.search, text: wish.search });
  // Another address is another search, however it was reached.
  const search = typed.of === wish.search ? typed.text : wish.search;
  const channelName = useChannelName();
  const { data } = useChannels();
  const channels = [...(data?.results.map(({ channel }) => channel) ?? []), OWN].map((value) => ({
    value,
    label: [value, channelName(value)].filter((part) => part !== undefined).join(' '),
  }));
  const look = (part: Partial<PushWish>): void => {
    forget();
    onWish({ ...wish, search: search.trim(), ...part });
  };
  return (
    <Form onSubmit={() => look({})}>
      <Group align="flex-end">
        <TextField label={t('searchPushes')} value={search} onChange={(text) => change({ of: wish.search, text })} />
        <ChoiceField
          label={t('status')}
          choices={STATUSES}
          value={STATUSES.find((known) => known === wish.status) ?? 'anyStatus'}
          onChange={(status) => look({ status: status === 'anyStatus' ? '' : status })}
        />
        <Select
          label={t('channel')}
          allowDeselect={false}
          value={wish.channel}
          data={[{ value: '', label: t('anyChannel') }, ...channels]}
          onChange={(channel) => look({ channel: channel ?? '' })}
        />
        <ChoiceField
          label={t('askedForBy')}
          choices={['senders', 'chatServers']}
          value={wish['from-service'] === RTM ? 'chatServers' : 'senders'}
          onChange={(by) => look({ 'from-service': by === 'chatServers' ? RTM : '' })}
        />
        <Button type="submit" variant="default">
          {t('search')}
        </Button>
      </Group>
    </Form>
  );
}
