import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api, ask, type Schemas } from '../../api/client';
import { Failure } from '../../parts/answer';
import { ChannelName } from '../../parts/channel-name';
import { TextField } from '../../parts/fields';
import { Form } from '../../parts/form';
import { JsonBlock } from '../../parts/json-block';
import { Section } from '../../parts/page';
import { ReasonWords } from '../../parts/reason-words';
import { Said } from '../../parts/said';
import { useKept } from '../../parts/use-kept';
import { useWords } from '../../words/language';

/** What became of one device that the push was for. */
export function OneDevice({ id, pushId }: { readonly id: string; readonly pushId: string }) {
  const t = useWords();
  const { form, change } = useKept(`device of push ${pushId} of ${id}`, { installationId: '' });
  const { installationId } = form;
  const params = { path: { id, pushId }, query: { installationId } };
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => ask(api.GET('/api/v1/apps/{id}/pushes/{pushId}', { params })),
  });
  return (
    <Section title={t('whatBecame')}>
      <Form onSubmit={() => mutate()}>
        <Group align="flex-end">
          <TextField
            label={t('deviceId')}
            value={installationId}
            onChange={(typed) => change({ installationId: typed })}
          />
          <Button type="submit" variant="default" loading={isPending} disabled={installationId === ''}>
            {t('look')}
          </Button>
        </Group>
      </Form>
      <Failure error={error} />
      {data?.installation && <DeviceOutcome told={data.installation} />}
    </Section>
  );
}

type Told = NonNullable<Schemas['PushRecord']['installation']>;

const textAt = (told: Told, field: string): string | undefined => {
  const value = told[field];
  return typeof value === 'string' ? value : undefined;
};

/** In plain words, and below them all that the API tells. */
function DeviceOutcome({ told }: { readonly told: Told }) {
  const t = useWords();
  const channel = textAt(told, 'channel');
  const [reason, message] = [textAt(told, 'reason'), textAt(told, 'message')];
  const said = ['vendorCode', 'vendorMessage'].flatMap((field) => textAt(told, field) ?? []).join(' ');
  return (
    <Stack gap="xs">
      <Text role="status">
        {textAt(told, 'outcome')}
        {channel !== undefined && (
          <>
            {' · '}
            <ChannelName of={channel} />
          </>
        )}
      </Text>
      {message !== undefined && (
        <Text>
          <Said text={message} />
        </Text>
      )}
      {reason !== undefined && <ReasonWords reason={reason} />}
      {said !== '' && <Text className="words">{`${t('vendorSays')}: ${said}`}</Text>}
      <JsonBlock value={told} label={t('outcome')} />
    </Stack>
  );
}
