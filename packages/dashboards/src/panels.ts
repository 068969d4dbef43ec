import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  BigValueGraphMode,
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
} from '@grafana/grafana-foundation-sdk/common';
import { ThresholdsConfigBuilder, ThresholdsMode, type Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as TextBuilder, TextMode } from '@grafana/grafana-foundation-sdk/text';
import { PanelBuilder as TimeseriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries';

/** What Grafana calls the units that the metrics are in. */
export type Unit = 'short' | 's' | 'bytes' | 'percentunit' | 'reqps' | 'cps' | 'bool_yes_no';

/** One thing to know, and what to do about it. */
export interface Question {
  readonly title: string;
  readonly description: string;
  readonly unit: Unit;
  /** PromQL by the legend of its series. */
  readonly series: Readonly<Record<string, string>>;
  /** From here on it is bad. */
  readonly badFrom?: number;
}

export const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

const HALF = 12;
const SIXTH = 4;
const HEIGHT = 8;
const LOW = 5;

const queriesOf = ({ series }: Question): DataqueryBuilder[] =>
  Object.entries(series).map(([legend, expr], i) =>
    new DataqueryBuilder()
      .datasource(DATASOURCE)
      .expr(expr)
      .legendFormat(legend)
      .refId(String.fromCharCode('A'.charCodeAt(0) + i)),
  );

const thresholdsOf = ({ badFrom }: Question): ThresholdsConfigBuilder =>
  new ThresholdsConfigBuilder()
    .mode(ThresholdsMode.Absolute)
    .steps([{ value: null, color: 'green' }, ...(badFrom === undefined ? [] : [{ value: badFrom, color: 'red' }])]);

/** An answer over time. */
export function graph(question: Question): Builder<Panel> {
  const panel = new TimeseriesBuilder()
    .title(question.title)
    .description(question.description)
    .unit(question.unit)
    .min(0)
    .datasource(DATASOURCE)
    .targets(queriesOf(question))
    .thresholds(thresholdsOf(question))
    .span(HALF)
    .height(HEIGHT);
  // Unasked, Grafana draws none.
  const line = new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Line);
  return question.badFrom === undefined ? panel : panel.thresholdsStyle(line);
}

/** The answer now, as one number. Of a range Grafana would show the last one, also of a series that has ended. */
export const number = (question: Question): Builder<Panel> =>
  new StatBuilder()
    .title(question.title)
    .description(question.description)
    .unit(question.unit)
    .datasource(DATASOURCE)
    .targets(queriesOf(question).map((query) => query.instant()))
    .graphMode(BigValueGraphMode.None)
    .thresholds(thresholdsOf(question))
    .span(SIXTH)
    .height(LOW);

export const text = (title: string, content: string): Builder<Panel> =>
  new TextBuilder()
    .title(title)
    .mode(TextMode.Markdown)
    .content(content)
    .span(2 * HALF)
    .height(LOW);
