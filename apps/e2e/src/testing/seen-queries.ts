import { hastenExpression } from './hasten-rules';
import type { PanelQuery } from './dashboard-queries';
import type { PrometheusServer } from './prometheus-server';

const EVERY_MS = 2000;

/** Asks Prometheus again and again what no query has answered yet. */
export class SeenQueries {
  private unseen: readonly PanelQuery[];
  private timer: NodeJS.Timeout | undefined;
  private asking: Promise<void> = Promise.resolve();

  constructor(
    private readonly prometheus: PrometheusServer,
    queries: readonly PanelQuery[],
  ) {
    this.unseen = queries;
  }

  start(): void {
    this.timer = setInterval(() => {
      this.asking = this.asking.then(() => this.ask());
    }, EVERY_MS);
  }

  /** Names of the queries that have never had a number for an answer. */
  async stop(): Promise<readonly string[]> {
    clearInterval(this.timer);
    await this.asking;
    await this.ask();
    return this.unseen.map(({ name }) => name);
  }

  private async ask(): Promise<void> {
    const answers = await Promise.all(this.unseen.map(({ expression }) => this.hasData(expression)));
    this.unseen = this.unseen.filter((_, i) => !answers[i]);
  }

  private async hasData(expression: string): Promise<boolean> {
    const samples = await this.prometheus.query(hastenExpression(expression));
    return samples.some(({ value: [, text] }) => !Number.isNaN(Number(text)));
  }
}
