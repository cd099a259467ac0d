import { Agent } from "node:http";
import { Agent as SecureAgent } from "node:https";
import { Stripe } from "stripe";

/** What is asked for and answered is of this version, whatever the account's own is. */
const API_VERSION = "2026-10-28.endive";
/** Without a byte. */
const TIMEOUT_MS = 8_000;
/** Beside the first try; each with the same idempotency key. */
const RETRIES_MAX = 2;
const SOCKETS_MAX = 32;

export interface StripeClientOptions {
  /** Of the interface, such as https://api.stripe.com. */
  url: string;
  secretKey: string;
  timeoutMs?: number;
}

/** Opens the SDK's client, with bounds in time and connections; disposed, it lets go of these. */
export function openStripeClient(options: StripeClientOptions): Disposable & { stripe: Stripe } {
  const { protocol, hostname, port } = new URL(options.url);
  const isPlain = protocol === "http:";
  const sockets = { keepAlive: true, maxSockets: SOCKETS_MAX };
  const agent = isPlain ? new Agent(sockets) : new SecureAgent(sockets);
  const stripe = new Stripe(options.secretKey, {
    apiVersion: API_VERSION,
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? "http" : "https",
    timeout: options.timeoutMs ?? TIMEOUT_MS,
    maxNetworkRetries: RETRIES_MAX,
    telemetry: false,
    httpAgent: agent,
  });
  return { stripe, [Symbol.dispose]: () => agent.destroy() };
}
