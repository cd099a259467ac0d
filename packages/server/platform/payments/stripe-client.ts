import { Agent } from "node:http";
import { Agent as SecureAgent } from "node:https";
import { Stripe } from "stripe";

/** Pinned, so that the account's default version has no effect. */
const API_VERSION = "2026-10-28.endive";
/** Maximum time without a byte. */
const TIMEOUT_MS = 8_000;
/** Retries after the first attempt, with the same idempotency key. */
const RETRIES_MAX = 2;
const SOCKETS_MAX = 32;

export interface StripeClientOptions {
  /** Base URL of the API, such as https://api.stripe.com. */
  url: string;
  secretKey: string;
  timeoutMs?: number;
}

/** Opens the SDK's client, with a timeout and a limit of connections. Disposing closes them. */
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
