import { Group } from '@mantine/core';
import { api, ask, type Schemas } from '../api/client';
import { usePolled } from '../api/use-polled';
import { useRights } from '../api/session';
import { useChange } from '../api/use-change';
import { Answer } from '../parts/answer';
import { Confirm } from '../parts/confirm';
import { Grid } from '../parts/grid';
import { Mark } from '../parts/mark';
import { Page } from '../parts/page';
import { useWords } from '../words/language';

type Channel = Schemas['Channel'];

const EVERY_MS = 5_000;

export function ChannelsPage() {
  const t = useWords();
  const query = usePolled(['channels'], EVERY_MS, () => ask(api.GET('/api/v1/channels')));
  return (
    <Page title={t('channels')}>
      <Answer query={query}>{({ results }) => <Channels list={results} />}</Answer>
    </Page>
  );
}

function Channels({ list }: { readonly list: readonly Channel[] }) {
  const t = useWords();
  const { may } = useRights();
  return (
    <Grid
      label={t('channels')}
      head={[t('channel'), t('workers'), t('state'), t('direct'), t('bulk'), t('breakers'), t('change')]}
      rows={list.map((channel) => ({
        key: channel.channel,
        cells: [
          channel.channel,
          channel.consumers,
          <States controls={channel.controls} />,
          <Depth of={channel['direct']} />,
          <Depth of={channel['bulk']} />,
          channel.breakers.map(({ app, profile, state }) => `${app} ${profile}: ${state}`).join(', ') || t('none'),
          may('operator', 'fleet') ? <Decide channel={channel} /> : '',
        ],
      }))}
    />
  );
}

function States({ controls }: Pick<Channel, 'controls'>) {
  const t = useWords();
  if (controls.length === 0) return <Mark mood="good">{t('running')}</Mark>;
  return (
    <Group gap="xs">
      {controls.map(({ state, app, profile }) => (
        <Mark key={`${app} ${profile}`} mood="doubtful">
          {[t(state), app, profile].filter((part) => part !== undefined).join(' ')}
        </Mark>
      ))}
    </Group>
  );
}

function Depth({ of }: { readonly of: unknown }) {
  const t = useWords();
  const { waiting = 0, active = 0, delayed = 0 } = (of ?? {}) as Readonly<Record<string, number>>;
  return `${waiting + delayed} ${t('waitingOf')}, ${active} ${t('running')}`;
}

function Decide({ channel: { channel, controls } }: { readonly channel: Channel }) {
  const t = useWords();
  const changed = useChange(['channels']);
  const isStopped = controls.some(({ app }) => app === undefined);
  const params = { path: { channel } };
  return isStopped ? (
    <Confirm
      label={t('resume')}
      question={t('resumeAsk')}
      onConfirm={() => changed(ask(api.POST('/api/v1/channels/{channel}/resume', { params, body: {} })))}
    />
  ) : (
    <Confirm
      label={t('pause')}
      question={t('pauseAsk')}
      onConfirm={() => changed(ask(api.POST('/api/v1/channels/{channel}/pause', { params, body: {} })))}
    />
  );
}
