/** An app has as many installations, or as many bytes of them, as it may have. */
export class AppFull extends Error {
  override readonly name = 'AppFull';

  constructor(
    readonly limit: 'installations' | 'installationsBytes',
    readonly ceiling: number,
  ) {
    const of = limit === 'installations' ? 'installations' : 'bytes of installations';
    super(
      `limits.${limit}: the app may have at most ${ceiling} ${of}, and no unconfirmed one is left to make room; ` +
        'installations that exist are served as before.',
    );
  }
}
