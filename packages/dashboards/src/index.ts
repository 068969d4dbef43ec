import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';
import { buildDashboard } from './build-dashboard';
import { overview } from './overview';
import { ownChannel } from './own-channel';
import { pushes } from './pushes';
import { userInfo } from './user-info';
import { vendor } from './vendor';

export interface DashboardFile {
  /** In infra/grafana/dashboards. */
  readonly file: string;
  readonly dashboard: Dashboard;
}

export const dashboardFiles = (): readonly DashboardFile[] =>
  [overview, vendor, pushes, ownChannel, userInfo].map((plan) => ({
    file: `${plan.name}.json`,
    dashboard: buildDashboard(plan),
  }));

/** As it stands in its file. */
export const textOf = ({ dashboard }: DashboardFile): string => `${JSON.stringify(dashboard, null, 2)}\n`;
