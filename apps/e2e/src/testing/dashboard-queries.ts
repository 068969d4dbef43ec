import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PanelQuery {
  /** Dashboard, panel and legend. */
  readonly name: string;
  readonly expression: string;
}

interface Panel {
  readonly title?: string;
  readonly panels?: readonly Panel[];
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const FOLDER = join(__dirname, '../../../../infra/grafana/dashboards');

/** Every query of every dashboard as it is committed, with the variables filled in. */
export function dashboardQueries(variables: Readonly<Record<string, string>>): readonly PanelQuery[] {
  return readdirSync(FOLDER).flatMap((file) => {
    const { panels } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as { panels: readonly Panel[] };
    return panels
      .flatMap((panel) => [panel, ...(panel.panels ?? [])])
      .flatMap(({ title, targets = [] }) =>
        targets.map(({ expr, legendFormat }) => ({
          name: `${file}: ${title} ${legendFormat}`,
          expression: fill(expr, variables),
        })),
      );
  });
}

const fill = (expression: string, variables: Readonly<Record<string, string>>): string =>
  expression.replaceAll(/\$(\w+)/g, (whole, name: string) => variables[name] ?? whole);
