import { Anchor, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link } from 'wouter';
import { writeJson } from '../../api/exact-json';
import { sendPush, type PushBody } from '../../api/send-push';
import { Failure } from '../../parts/answer';
import { TextField } from '../../parts/fields';
import { Form } from '../../parts/form';
import { Section } from '../../parts/page';
import { useKept } from '../../parts/use-kept';
import { useWords } from '../../words/language';
import { freshReqId } from './draft';

interface TestDeviceProps {
  readonly id: string;
  /** Without audience and time. */
  readonly message: PushBody | undefined;
}

interface Attempt {
  readonly written: string;
  readonly reqId: string;
  /** When it was taken, by the clock of the page; absent: perhaps it was. */
  readonly doneAt?: number;
}

/** Within this a second press is a double click. */
const DOUBLE_CLICK_MS = 1000;

/** The same again while it may have been taken, and a moment after it was: with its id it is sent once. */
const attemptAt = (written: string, last: Attempt | undefined): Attempt =>
  last?.written === written && performance.now() - (last.doneAt ?? Infinity) < DOUBLE_CLICK_MS
    ? last
    : { written, reqId: freshReqId() };

/** The same message to one device, at once. */
export function TestDevice({ id, message }: TestDeviceProps) {
  const t = useWords();
  const { form, change } = useKept(`test device of ${id}`, { device: '' });
  const named = form.device.trim();
  const last = useRef<Attempt>(undefined);
  const sending = useMutation({
    async mutationFn(said: PushBody) {
      const body = { ...said, installation_ids: [named] } as PushBody;
      const attempt = attemptAt(writeJson(body), last.current);
      last.current = attempt;
      const pushed = await sendPush(id, body, { reqId: attempt.reqId, confirmed: 1 });
      if (last.current === attempt) last.current = { doneAt: performance.now(), ...attempt };
      return pushed;
    },
  });
  return (
    <Section title={t('testDevice')}>
      <Form onSubmit={() => message && sending.mutate(message)}>
        <Group align="flex-end">
          <TextField
            label="installationId"
            description={t('testDeviceHelp')}
            autoComplete="off"
            value={form.device}
            onChange={(device) => change({ device })}
          />
          <Button
            type="submit"
            variant="default"
            loading={sending.isPending}
            disabled={message === undefined || named === ''}
          >
            {t('sendToDevice')}
          </Button>
        </Group>
      </Form>
      <Failure error={sending.error} />
      {sending.data && (
        <Text role="status">
          {t('sentToDevice')}{' '}
          <Anchor component={Link} href={`/apps/${id}/pushes/${sending.data.objectId}`}>
            {sending.data.objectId}
          </Anchor>
        </Text>
      )}
    </Section>
  );
}
