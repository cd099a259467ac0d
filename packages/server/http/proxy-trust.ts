import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config/config.ts";

/** Whether the peer at `index` is a proxy whose entry in `X-Forwarded-For` is true; 0 is the peer of the connection. */
type ProxyTrust = (address: string, index: number) => boolean;

/**
 * Converts TRUST_PROXY for Fastify. The header's entries count from its end, where each proxy appends the address that
 * it sees: whatever a client sends itself stands before them, and is never reached. `on` is one proxy, since trusting
 * all entries let clients choose their address and escape every limit. A number is converted here, because Fastify
 * takes one for no proxy at all.
 */
export function toProxyTrust(
  setting: Config["http"]["trustProxy"],
  log: Pick<FastifyBaseLogger, "warn">,
): false | string[] | ProxyTrust {
  if (setting === "on")
    log.warn(
      "TRUST_PROXY=on trusts one proxy: set the number of proxies instead (TRUST_PROXY=1) or their addresses, see docs/guides/reverse-proxies.md",
    );
  const hops = setting === "on" ? 1 : setting;
  return typeof hops === "number" ? (_address, index) => index < hops : hops;
}
