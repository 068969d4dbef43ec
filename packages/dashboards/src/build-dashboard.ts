import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  DashboardBuilder,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  RowBuilder,
  type Dashboard,
  type Panel,
  type VariableModel,
} from '@grafana/grafana-foundation-sdk/dashboard';

export interface DashboardPlan {
  /** Part of its address in Grafana, and the name of its file. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly variables?: readonly Builder<VariableModel>[];
  /** By the title of their row. */
  readonly rows: Readonly<Record<string, readonly Builder<Panel>[]>>;
}

const TAG = 'pushfleet';

/** Every dashboard leads to the others, for the same time. */
const links = (): DashboardLinkBuilder =>
  new DashboardLinkBuilder('pushfleet').type(DashboardLinkType.Dashboards).tags([TAG]).asDropdown(true).keepTime(true);

export function buildDashboard({ name, title, description, variables = [], rows }: DashboardPlan): Dashboard {
  const datasource = new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus');
  const builder = new DashboardBuilder(`pushfleet: ${title}`)
    .uid(`pushfleet-${name}`)
    .description(description)
    .tags([TAG])
    .time({ from: 'now-3h', to: 'now' })
    .refresh('30s')
    .readonly()
    .link(links())
    .variables([datasource, ...variables]);
  for (const [row, panels] of Object.entries(rows)) {
    builder.withRow(new RowBuilder(row));
    for (const panel of panels) builder.withPanel(panel);
  }
  return builder.build();
}
