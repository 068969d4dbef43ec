/** What a rule refuses, and who says so. */
export interface StrictRule<Name extends string = string> {
  readonly name: Name;
  readonly about: string;
  readonly isOn: boolean;
}

/**
 * Rules of which only one side is known: a vendor's document forbids what senders in the field seem to get away with, or
 * the other way round. Each rule is off until it is switched on.
 */
export class StrictRules<Name extends string = string> {
  private readonly on = new Set<Name>();

  constructor(private readonly rules: Readonly<Record<Name, string>>) {}

  isOn(name: Name): boolean {
    return this.on.has(name);
  }

  /** These and no others. Answers with the names that no rule has, and then changes nothing. */
  set(names: readonly string[]): readonly string[] {
    const unknown = names.filter((name) => !this.has(name));
    if (unknown.length > 0) return unknown;
    this.on.clear();
    for (const name of names) if (this.has(name)) this.on.add(name);
    return [];
  }

  list(): StrictRule<Name>[] {
    return this.names.map((name) => ({ name, about: this.rules[name], isOn: this.on.has(name) }));
  }

  private has(name: string): name is Name {
    return Object.hasOwn(this.rules, name);
  }

  private get names(): Name[] {
    return Object.keys(this.rules) as Name[];
  }
}
