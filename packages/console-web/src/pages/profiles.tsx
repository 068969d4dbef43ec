import { Alert, Button, Card, Checkbox, Group, Select, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ask, errorOf, type Schemas } from '../api/client';
import { readJson, writeJson } from '../api/exact-json';
import { useChange } from '../api/use-change';
import { useChannels } from '../api/use-channels';
import { Answer, Failure } from '../parts/answer';
import { ChannelName } from '../parts/channel-name';
import { Confirm } from '../parts/confirm';
import { Copyable } from '../parts/copyable';
import { Dialog } from '../parts/dialog';
import { TextField } from '../parts/fields';
import { SendingForm } from '../parts/form';
import { PageOfApp } from '../parts/page-of-app';
import { said } from '../parts/said';
import { useForm } from '../parts/use-form';
import { useLanguage, useMoment, useWords } from '../words/language';

type Profile = Schemas['Profile'];
type Fields = Schemas['ProfileFields'];
type Field = Fields['fields'][number];

const keyOf = (id: string) => ['profiles', id];

export function ProfilesPage({ id }: { readonly id: string }) {
  const t = useWords();
  const params = { path: { id } };
  const stored = useQuery({
    queryKey: keyOf(id),
    queryFn: () => ask(api.GET('/api/v1/apps/{id}/profiles', { params })),
  });
  const fields = useChannels();
  return (
    <PageOfApp id={id} title={t('profiles')}>
      <Answer query={fields}>
        {(known) => (
          <Answer query={stored}>
            {({ results }) =>
              known.results.map((channel) => (
                <Channel
                  key={channel.channel}
                  id={id}
                  fields={channel}
                  stored={results.filter((profile) => profile.channel === channel.channel)}
                />
              ))
            }
          </Answer>
        )}
      </Answer>
    </PageOfApp>
  );
}

interface ChannelProps {
  readonly id: string;
  readonly fields: Fields;
  readonly stored: readonly Profile[];
}

function Channel({ id, fields, stored }: ChannelProps) {
  const t = useWords();
  return (
    <Card withBorder component="section" aria-label={fields.channel}>
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {fields.vendor} (<ChannelName of={fields.channel} />)
          </Title>
          <Dialog
            label={`${t('newProfile')}: ${fields.channel}`}
            variant="default"
            keepAs={`new profile ${fields.channel} of ${id}`}
            form={(close) => <ProfileForm id={id} fields={fields} onDone={close} />}
          />
        </Group>
        {stored.length === 0 && <Text c="dimmed">{t('noProfiles')}</Text>}
        {stored.map((profile) => (
          <StoredProfile key={profile.profile} id={id} fields={fields} profile={profile} />
        ))}
      </Stack>
    </Card>
  );
}

interface ProfileProps {
  readonly id: string;
  readonly fields: Fields;
  readonly profile: Profile;
}

function StoredProfile({ id, fields, profile }: ProfileProps) {
  const t = useWords();
  const moment = useMoment();
  const changed = useChange(keyOf(id));
  const params = { path: { id, channel: profile.channel, profile: profile.profile } };
  const test = useMutation({
    mutationFn: () => changed(ask(api.POST('/api/v1/apps/{id}/profiles/{channel}/{profile}/test', { params }))),
  });
  const remove = () => changed(ask(api.DELETE('/api/v1/apps/{id}/profiles/{channel}/{profile}', { params })));
  const [isSaved, setSaved] = useState(false);
  const about = `${profile.channel}/${profile.profile}`;
  const saved = (close: () => void) => (): void => {
    close();
    setSaved(true);
    test.reset();
  };
  return (
    <Stack gap="xs">
      <Group>
        <Text fw={600}>{profile.profile}</Text>
        <Dialog
          label={t('change')}
          about={about}
          variant="default"
          keepAs={`profile ${profile.channel} ${profile.profile} of ${id}`}
          form={(close) => <ProfileForm id={id} fields={fields} profile={profile} onDone={saved(close)} />}
        />
        <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          {t('test')}
        </Button>
        <Confirm label={t('remove')} about={about} question={t('deleteProfileAsk')} color="red" onConfirm={remove} />
        <Text role="status" size="sm">
          {isSaved ? t('saved') : ''}
        </Text>
      </Group>
      {profile.receiptUrl !== undefined && (
        <>
          <Text size="sm">{t('receiptUrl')}</Text>
          <Copyable text={profile.receiptUrl} />
          <Text size="sm" c={profile.receiptSeenAt === undefined ? 'dimmed' : undefined}>
            {t('receiptSeen')}: {profile.receiptSeenAt === undefined ? t('noReceipt') : moment(profile.receiptSeenAt)}
          </Text>
        </>
      )}
      <Failure error={test.error} />
      <LastTest test={profile.lastTest} />
    </Stack>
  );
}

function LastTest({ test }: { readonly test: Profile['lastTest'] }) {
  const t = useWords();
  const moment = useMoment();
  if (!test)
    return (
      <Text size="sm" c="dimmed">
        {t('lastTest')}: {t('notTested')}
      </Text>
    );
  const words = [test.vendorCode, test.vendorMessage, test.fault].filter(Boolean).join(' ');
  return (
    <Alert role="status" variant="outline" color={test.ok ? 'green' : 'red'}>
      <Text size="sm" fw={600}>
        {t('lastTest')}: {moment(test.at)}
      </Text>
      <Text size="sm">{test.ok ? t('testOk') : `${t('testBad')} ${words}`}</Text>
    </Alert>
  );
}

interface ProfileFormProps {
  readonly id: string;
  readonly fields: Fields;
  readonly profile?: Profile;
  readonly onDone: () => void;
}

/** The name of the profile, and the fields of its channel as they were typed; none of those is called so. */
interface ProfileText extends Readonly<Record<string, unknown>> {
  readonly profile: string;
}

/** Every field, so that one that was emptied is told from one that nobody touched. */
function textOf({ fields }: Fields, profile?: Profile): ProfileText {
  const empty = Object.fromEntries(fields.map(({ name }) => [name, '']));
  const {
    channel: _,
    receiptUrl: __,
    lastTest: ___,
    receiptSeenAt: ____,
    ...given
  } = profile ?? { profile: '_default', channel: '' };
  return { ...empty, ...given };
}

const secretsOf = ({ fields }: Fields): readonly string[] =>
  fields.filter(({ isSecret }) => isSecret).map(({ name }) => name);

const isGiven = ([, value]: [string, unknown]): boolean => value !== '';

function ProfileForm({ id, fields, profile, onDone }: ProfileFormProps) {
  const t = useWords();
  const changed = useChange(keyOf(id));
  const { form, kept, change, bind } = useForm(textOf(fields, profile), secretsOf(fields));
  const { profile: name, ...typed } = form;
  const body = Object.fromEntries(Object.entries(typed).filter(isGiven));
  const params = { path: { id, channel: fields.channel, profile: name } };
  const saving = useMutation({
    mutationFn: () => changed(ask(api.PUT('/api/v1/apps/{id}/profiles/{channel}/{profile}', { params, body }))),
    onSuccess: onDone,
  });
  return (
    <SendingForm sending={saving} kept={kept} label={t('save')}>
      <TextField label={t('profileName')} {...bind(saving)('profile')} disabled={profile !== undefined} />
      {fields.fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={form[field.name]}
          error={errorOf(saving.error)?.at(field.name)}
          onChange={(value) => change({ [field.name]: value ?? '' })}
        />
      ))}
    </SendingForm>
  );
}

interface InputProps {
  readonly field: Field;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

function FieldInput({ field, value, error, onChange }: InputProps) {
  const { t, language } = useLanguage();
  const need = field.isRequired ? t('required') : t('optional');
  const kept = field.isSecret && value === '***' ? t('secretKept') : undefined;
  const about = [need, field.descriptions[language], kept].filter(Boolean).join(' · ');
  if (field.kind === 'boolean')
    return (
      <Checkbox
        label={field.name}
        description={about}
        error={said(error)}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  if (field.choices)
    return (
      <Select
        label={field.name}
        description={about}
        error={said(error)}
        clearable={!field.isRequired}
        data={[...field.choices]}
        value={typeof value === 'string' && value !== '' ? value : null}
        onChange={(chosen) => onChange(chosen ?? undefined)}
      />
    );
  return (
    <TextField
      label={field.name}
      description={about}
      error={error}
      autoComplete="off"
      value={typeof value === 'string' ? value : writeJson(value)}
      onChange={(text) => onChange(field.kind === 'json' ? read(text) : text)}
    />
  );
}

/** What is no JSON yet is a text, about which the API has its own words. */
function read(text: string): unknown {
  try {
    return text === '' ? undefined : readJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
