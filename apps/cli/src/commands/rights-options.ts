import { ROLES, type Role } from '@pushfleet/domain';
import { Option } from 'commander';
import { names } from './option-values';

export const ROLE_NAMES: readonly string[] = ROLES;

export interface RightsOptions {
  readonly role?: Role;
  readonly apps?: 'all' | readonly string[];
}

export const appsOption = (): Option =>
  new Option('--apps <ids>', 'apps that the role holds for, separated by commas; all if not given at first').argParser(
    (text) => (text === 'all' ? text : names(text)),
  );

export const appsText = (apps: string | readonly string[]): string =>
  typeof apps === 'string' ? apps : apps.join(',');
