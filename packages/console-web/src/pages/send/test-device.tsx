import { Anchor, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
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

/** The same message to one device, at once. */
export function TestDevice({ id, message }: TestDeviceProps) {
  const t = useWords();
  const { form, change } = useKept(`test device of ${id}`, { device: '' });
  const named = form.device.trim();
  const sending = useMutation({
    mutationFn: (body: PushBody) =>
      sendPush(id, { ...body, installation_ids: [named] } as PushBody, { reqId: freshReqId(), confirmed: 1 }),
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
