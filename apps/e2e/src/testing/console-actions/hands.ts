import { unique, until } from '@pushfleet/testing';
import type { Locator, Page } from 'playwright-core';
import type { DemoApp, Fleet, WireRecord } from '../../fleet';
import type { View, Watched } from '../console-browser';
import { visit, type ConsoleScene, type Role } from '../console-scene';
import { CHINESE, WORDS } from '../console-words';

/** Something that somebody does in the pages and that changes the fleet. */
export interface Action {
  readonly name: string;
  readonly who: Role;
  /** What of the API it has done in the end, as the pages write it. */
  readonly calls: readonly string[];
  /** What is done in the page, what the page says then, and what the fleet shows. */
  readonly act: (hands: Hands) => Promise<void>;
}

/** The key of a word, or what is written so in every language. */
export type Label = string | { readonly verbatim: string };

const REFUSAL = 'refused once, for the page to tell';
const HMS = { deviceType: 'android', vendor: 'HMS' };

/** Somebody at a page: finds things by the words of their language, as a reader does. */
export class Hands {
  constructor(
    readonly scene: ConsoleScene,
    readonly watched: Watched,
    readonly lang: View['lang'],
  ) {}

  get page(): Page {
    return this.watched.page;
  }

  get fleet(): Fleet {
    return this.scene.setting.fleet;
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  word(key: string): string {
    const word = WORDS[this.lang][key];
    if (word === undefined) throw new Error(`the pages have no word ${key}`);
    return word;
  }

  visit(path: string, text: RegExp): Promise<void> {
    return visit(this.page, path, text);
  }

  /** By its word; where there are many such, it says behind a colon what it is about. */
  button(key: string, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name: new RegExp(`^${literally(this.word(key))}(: .*)?$`) });
  }

  field(label: Label, within: Page | Locator = this.page): Locator {
    const name = typeof label === 'string' ? this.word(label) : label.verbatim;
    return within.getByLabel(name, { exact: true }).first();
  }

  type(label: Label, text: string, within: Page | Locator = this.page): Promise<void> {
    return this.field(label, within).fill(text);
  }

  async choose(label: string, choice: string, within: Page | Locator = this.page): Promise<void> {
    await this.field(label, within).click();
    await this.page.getByRole('option', { name: this.word(choice), exact: true }).click();
  }

  /** Opens what the button asks first. */
  async open(key: string, within: Page | Locator = this.page): Promise<Locator> {
    await this.button(key, within).first().click();
    await this.dialog.waitFor();
    return this.dialog;
  }

  /** Waits until the API's words stand at the field, and sees that what was typed stays. */
  async refusedAt(label: Label, typed: string, within: Page | Locator = this.page): Promise<void> {
    const field = this.field(label, within);
    await field.and(this.page.locator('[aria-invalid="true"]')).waitFor();
    expect([label, await field.inputValue()]).toEqual([label, typed]);
  }

  /** Types what the API refuses and presses the button: its words stand at the field, and what was typed stays. */
  async refuses(
    key: string,
    [label, typed]: readonly [Label, string],
    within: Page | Locator = this.page,
  ): Promise<void> {
    await this.type(label, typed, within);
    await this.button(key, within).click();
    await this.refusedAt(label, typed, within);
  }

  /** What the server says, as pages in their language do; it has to be known there. */
  said(text: string): string {
    const told = this.lang === 'en' ? text : CHINESE.say(text);
    if (told === undefined) throw new Error(`${text} has no words in ${this.lang}`);
    return told;
  }

  /** Waits until the words of a refusal stand there. */
  async told(text: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    await within.getByRole('alert').getByText(text).first().waitFor();
  }

  /** Presses what sends a change, first while the API refuses it: the page says so in its words, and loses nothing. */
  async send(button: Locator, within: Locator = this.page.getByRole('main')): Promise<void> {
    const typed = await typedIn(within);
    await this.page.route(CHANGES, (route) =>
      isChange(route.request().method(), route.request().url())
        ? route.fulfill({ status: 409, json: { code: 409, error: REFUSAL } })
        : route.fallback(),
    );
    await button.click();
    await this.told(REFUSAL, within);
    expect(await typedIn(within)).toEqual(typed);
    await this.page.unroute(CHANGES);
    await button.click();
  }

  /** What a button asks first, refused and then done. */
  async confirm(key: string, within: Page | Locator = this.page): Promise<void> {
    const dialog = await this.open(key, within);
    await this.finish(key, dialog);
  }

  /** The last button of a dialog, refused and then done; the dialog is gone then. */
  async finish(key: string, dialog: Locator): Promise<void> {
    await this.send(this.button(key, dialog), dialog);
    await dialog.waitFor({ state: 'detached' });
  }

  /** Sends what is written once it is known that it reaches so many devices; the id of the push, by the page that shows it. */
  async sendTo(devices: number): Promise<string> {
    const name = `${this.word('sendTo')} ${devices.toLocaleString(this.lang)}`;
    const button = this.page.getByRole('button', { name, exact: true });
    const exactly = this.button('countExactly');
    // A slow machine gives an estimate first.
    await button.or(exactly).first().waitFor();
    if (await exactly.isVisible()) await exactly.click();
    await button.click();
    if (devices >= 1000) {
      expect(await this.dialog.getByRole('button', { name, exact: true }).isDisabled()).toBe(true);
      await this.type({ verbatim: String(devices) }, String(devices), this.dialog);
    }
    await this.send(this.dialog.getByRole('button', { name, exact: true }), this.dialog);
    return this.pushShown();
  }

  /** The id of the push whose page is shown. */
  async pushShown(): Promise<string> {
    await this.page.waitForURL(/\/pushes\/[0-9a-z]{16}$/);
    return this.page.url().split('/').at(-1) ?? '';
  }

  /** An app of its own, with so many devices at one vendor that takes them all. */
  async appWith(devices: number): Promise<DemoApp> {
    const app = await this.fleet.createApp({ name: unique('app') });
    await Promise.all(Array.from({ length: devices }, (_, i) => this.register(app, `device-${i}`)));
    return app;
  }

  register(app: DemoApp, installationId: string, columns: object = {}): Promise<unknown> {
    const device = { ...HMS, installationId, registrationId: `alive-${app.id}-${installationId}`, ...columns };
    return this.fleet.call(app, ['POST', '/installations'], device);
  }

  /** A push with the app key; its id. */
  async push(app: DemoApp, more: object = {}): Promise<string> {
    return (await this.fleet.push(app, { data: { alert: 'Hello' }, ...more })).objectId;
  }

  /** The record, once it tells that so many devices of the vendor are to be sent to. */
  waiting(app: DemoApp, pushId: string, devices: number): Promise<WireRecord> {
    return until(async () => {
      const record = await this.fleet.record(app, pushId);
      return record.channels['hms']?.expected === devices ? record : undefined;
    });
  }

  /** How many devices the vendor has taken once the push is done. */
  async accepted(app: DemoApp, pushId: string): Promise<number> {
    return (await this.fleet.done(app, pushId)).successes;
  }
}

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Once a call is refused with the status; processes learn of a change a moment later. */
export const refused = (call: () => Promise<unknown>, status: number): Promise<unknown> =>
  until(() =>
    call().then(
      () => false,
      (error: unknown) => error instanceof Error && error.message.includes(`: ${status} `),
    ),
  );

const CHANGES = '**/api/v1/**';

/** What a push would reach is asked for with a body, and changes nothing. */
const isChange = (method: string, url: string): boolean => method !== 'GET' && !url.includes('/preflight');

const typedIn = (within: Locator): Promise<readonly unknown[]> =>
  within
    .locator('input, textarea')
    .evaluateAll((fields: { readonly type: string; readonly checked?: boolean; readonly value: string }[]) =>
      fields.map(({ type, checked, value }) => (type === 'checkbox' ? checked : value)),
    );
