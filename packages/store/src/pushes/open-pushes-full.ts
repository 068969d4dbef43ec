/** What the open pushes of an app take of Redis, about, and what they may take. */
export interface OpenBytes {
  readonly bytes: number;
  readonly ceiling: number;
}

/** The pushes of an app that are not done take as much of a Redis that fills as they may. */
export class OpenPushesFull extends Error {
  override readonly name = 'OpenPushesFull';

  constructor({ bytes, ceiling }: OpenBytes) {
    super(
      `APP_OPEN_PUSHES_BYTES: the pushes of the app that are not done take ${bytes} bytes, of ${ceiling} that it may have while ` +
        'Redis fills; new ones are taken when enough of these are done, expired or cancelled.',
    );
  }
}
