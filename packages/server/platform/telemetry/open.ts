import type { Telemetry, TelemetryOptions } from "./telemetry.ts";

/** Opens telemetry; undefined if it is off, in which case the SDK is not loaded. */
export async function openTelemetry(options: TelemetryOptions): Promise<Telemetry | undefined> {
  const { traces, metrics } = options.config;
  if (!traces && !metrics) return undefined;
  const { openOtlp } = await import("./otlp.ts");
  return openOtlp(options);
}
