import type { Metrics } from '@pushfleet/service-kit';

/** A gauge, and what it shows of each view. Rows of the same labels add up. */
export interface ShownGauge<View> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  rows(view: View): Iterable<readonly [labels: Readonly<Record<string, string>>, value: number]>;
}

export function shownGauges<View>({ gauge }: Pick<Metrics, 'gauge'>, shown: readonly ShownGauge<View>[]) {
  const all = shown.map(({ rows, ...configuration }) => ({ rows, gauge: gauge<string>(configuration) }));
  const clear = (): void => all.forEach((each) => each.gauge.reset());
  return {
    clear,
    show(view: View): void {
      clear();
      for (const each of all) for (const [labels, value] of each.rows(view)) each.gauge.inc(labels, value);
    },
  };
}
