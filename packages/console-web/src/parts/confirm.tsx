import { Button, Group, Stack, Text, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useWords } from '../words/language';
import { Failure } from './answer';
import { ButtonWindow } from './button-window';
import { TextField } from './fields';
import { KeptNote } from './kept-note';
import type { Kept } from './use-kept';

interface ConfirmProps extends Pick<ButtonProps, 'color' | 'size' | 'variant' | 'disabled'> {
  readonly label: string;
  /** What it is done to, where a page has many such buttons. */
  readonly about?: string | undefined;
  /** What follows from it. */
  readonly question: string;
  /** What has to be said before it can be done. */
  readonly children?: ReactNode;
  /** False until that is said. */
  readonly isReady?: boolean;
  /** What is typed into the fields of `children`: it is open again after a reload. */
  readonly kept?: Kept<object>;
  /** It is asked anew: what was answered before is forgotten. */
  readonly onOpen?: () => void;
  /** What has to be typed before it can be done: after a reload, anew. */
  readonly typed?: string;
  readonly onConfirm: () => Promise<unknown>;
}

/** A button for what should not happen by mistake. */
export function Confirm({ label, about, question, typed, kept, children, isReady = true, ...more }: ConfirmProps) {
  const { onConfirm, onOpen, ...button } = more;
  const t = useWords();
  const [isOpen, { open, close }] = useDisclosure(kept?.isRestored, { onClose: kept?.forget });
  const [text, setText] = useState('');
  const { mutate, isPending, error, reset } = useMutation({ mutationFn: onConfirm, onSuccess: close });
  const openFresh = (): void => {
    reset();
    setText('');
    onOpen?.();
    open();
  };
  // Who leaves believes that nothing happens any more.
  const leave = (): void => {
    if (!isPending) close();
  };
  return (
    <ButtonWindow
      {...{ variant: 'default', ...button }}
      {...{ label, about, isOpen, isHeld: isPending }}
      onOpen={openFresh}
      onClose={leave}
    >
      <Stack>
        <Text className="words">{question}</Text>
        {kept && <KeptNote kept={kept} />}
        {children}
        {typed !== undefined && <TextField label={typed} value={text} onChange={setText} />}
        <Failure error={error} />
        <Group justify="flex-end">
          <Button variant="default" disabled={isPending} onClick={leave}>
            {t('cancel')}
          </Button>
          <Button
            color={button.color ?? 'blue'}
            loading={isPending}
            disabled={!isReady || (typed !== undefined && text !== typed)}
            onClick={() => mutate()}
          >
            {label}
          </Button>
        </Group>
      </Stack>
    </ButtonWindow>
  );
}
