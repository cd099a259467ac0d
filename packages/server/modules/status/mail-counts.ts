import type { MetricValues } from "../../platform/telemetry/merged-metrics.ts";
import type { MailCounts } from "./ports.ts";

/** The mails of all processes of this node: only one sends them, and any may be asked. */
export async function sumMailCounts(
  own: Readonly<MailCounts>,
  peers: { collectMetrics(): Promise<readonly MetricValues[]> } | undefined,
): Promise<MailCounts> {
  const metrics = peers ? (await peers.collectMetrics()).flat() : [];
  const sum = (name: string): number =>
    metrics
      .filter((metric) => metric.name === name)
      .flatMap(({ values }) => values)
      .reduce((total, { value }) => total + value, 0);
  return {
    sent: own.sent + sum("avow_mails_sent_total"),
    failed: own.failed + sum("avow_mails_failed_total"),
  };
}
