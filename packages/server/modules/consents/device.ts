import type { IncomingHttpHeaders } from "node:http";
import { toUserAgentFamily } from "../../platform/user-agent.ts";

/** Class of the device that displayed a page. */
export type Device = "mobile" | "tablet" | "desktop";

const LENGTH_MAX = 1_024;
const tabletPattern = /\biPad\b|\bTablet\b|\bPlayBook\b|\bSilk\/|\bAndroid\b(?!.*\bMobile\b)/i;
const mobilePattern = /\bMobi|\biPhone\b|\biPod\b|\bAndroid\b|\bOpera Mini\b/i;

/**
 * The device class of a request: by the client hints that browsers send by default (`Sec-CH-UA-Mobile`,
 * `Sec-CH-UA-Platform`), otherwise by the user agent; undefined for bots. The headers are not stored. An iPad that
 * requests desktop sites identifies as a Mac.
 */
export function toDevice(headers: IncomingHttpHeaders): Device | undefined {
  const agent = (headers["user-agent"] ?? "").slice(0, LENGTH_MAX);
  if (toUserAgentFamily(agent) === "bot") return undefined;
  const isMobile = headers["sec-ch-ua-mobile"];
  if (isMobile === "?1") return "mobile";
  if (isMobile === "?0")
    return headers["sec-ch-ua-platform"] === '"Android"' || tabletPattern.test(agent)
      ? "tablet"
      : "desktop";
  if (tabletPattern.test(agent)) return "tablet";
  return mobilePattern.test(agent) ? "mobile" : "desktop";
}
