import { Refusal } from './answers';

export function required(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (!value) throw new Refusal(40, `Missing Required Arguments: ${name}`);
  return value;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(41, 'Invalid Arguments: not JSON');
  }
}
