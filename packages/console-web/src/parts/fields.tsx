import { NumberInput, PasswordInput, Select, Switch, TextInput, type TextInputProps } from '@mantine/core';
import { useId } from 'react';
import type { Key } from '../words/en';
import { useWords } from '../words/language';
import { said } from './said';

export interface Field<T> {
  readonly label: string;
  readonly description?: string;
  readonly value: T;
  readonly onChange: (value: T) => void;
}

interface TextFieldProps extends Field<string>, Pick<TextInputProps, 'autoComplete' | 'disabled'> {
  /** What the API has against it. */
  readonly error?: string | undefined;
}

export const TextField = ({ onChange, error, ...input }: TextFieldProps) => (
  <TextInput {...input} error={said(error)} onChange={(event) => onChange(event.currentTarget.value)} />
);

interface PasswordFieldProps extends TextFieldProps {
  readonly autoComplete: 'current-password' | 'new-password';
}

/** The library tells those who hear the page neither that a password is wrong nor what is said of it. */
export function PasswordField({ onChange, ...input }: PasswordFieldProps) {
  const t = useWords();
  const id = useId();
  const { description, error } = input;
  const told = [description && `${id}-description`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <PasswordInput
      {...input}
      error={said(error)}
      id={id}
      aria-invalid={error === undefined ? undefined : true}
      aria-describedby={told === '' ? undefined : told}
      visibilityToggleButtonProps={{ 'aria-label': t('show') }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Says how long a password has to be. */
export function NewPasswordField(input: Omit<TextFieldProps, 'autoComplete' | 'description'>) {
  const t = useWords();
  return <PasswordField {...input} description={t('passwordHelp')} autoComplete="new-password" />;
}

interface NumberFieldProps extends Field<number | undefined> {
  /** What the API has against it. */
  readonly error?: string | undefined;
}

/** A whole number; undefined while the field is empty: a form with one that is cannot be sent. */
export function NumberField({ value, error, onChange, ...input }: NumberFieldProps) {
  const t = useWords();
  return (
    <NumberInput
      {...input}
      hideControls
      allowDecimal={false}
      allowNegative={false}
      min={0}
      required
      withAsterisk={false}
      value={value ?? ''}
      error={value === undefined ? t('numberNeeded') : said(error)}
      onChange={(next) => onChange(next === '' ? undefined : Number(next))}
    />
  );
}

export const SwitchField = ({ value, onChange, ...input }: Field<boolean>) => (
  <Switch {...input} checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
);

interface ChoiceFieldProps<T> extends Field<T> {
  readonly choices: readonly T[];
}

/** One of a few, each of which the pages have a word for. */
export function ChoiceField<T extends Key>({ choices, onChange, ...input }: ChoiceFieldProps<T>) {
  const t = useWords();
  const choose = (chosen: string | null): void => {
    const choice = choices.find((known) => known === chosen);
    if (choice !== undefined) onChange(choice);
  };
  return (
    <Select
      {...input}
      allowDeselect={false}
      data={choices.map((value) => ({ value, label: t(value) }))}
      onChange={choose}
    />
  );
}
