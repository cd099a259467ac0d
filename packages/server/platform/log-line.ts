const hidden = new Set(["level", "time", "msg", "reqId", "err", "req", "res", "ms"]);

/** Formats a JSON log line as one short readable line, followed by an error's stack. */
export function toPrettyLine(line: string): string {
  const entry = JSON.parse(line) as Record<string, unknown> & { time: string; level: string };
  const { req, res, ms, err, reqId } = entry as {
    req?: { method: string; route: string };
    res?: { status: number };
    ms?: number;
    err?: { message?: string; stack?: string };
    reqId?: string;
  };
  const request = req
    ? [req.method, req.route, res?.status, ms === undefined ? ms : `${ms} ms`]
    : [];
  const rest = Object.entries(entry).filter(([name]) => !hidden.has(name));
  const parts = [
    entry.time.slice(11, 19),
    entry.level.toUpperCase().padEnd(5),
    ...(req && res ? request : [entry["msg"], ...request]),
    ...rest.map(
      ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
    ),
    reqId,
  ];
  const head = parts.filter((part) => part !== undefined && part !== "").join(" ");
  const stack = err ? `\n${err.stack ?? err.message ?? ""}` : "";
  return `${head}${stack}\n`;
}
