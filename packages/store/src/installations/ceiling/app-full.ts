/** An app has as many installations, or as many bytes of them, as it may have. */
export class AppFull extends Error {
  override readonly name = 'AppFull';

  constructor(
    readonly limit: 'installations' | 'installationsBytes',
    readonly ceiling: number,
  ) {
    const of = limit === 'installations' ? 'installations' : 'bytes of installations, mutes and bindings';
    super(
      `limits.${limit}: the app may have at most ${ceiling} ${of}, and no unconfirmed installation is left to make room; ` +
        'what exists is served as before.',
    );
  }
}
