import type { IncomingMessage, ServerResponse } from "node:http";
import type { Stripe } from "stripe";
import { type StandIn, openStandIn } from "./http.ts";
import { type Account, idOf, openAccount } from "./stripe-account.ts";
import { type Form, readForm, textAt } from "./stripe-forms.ts";
import { newPrice } from "./stripe-objects.ts";

/**
 * Stripe's error; or a connection cut before the request is processed, or after, so that the answer is lost;
 * or no answer.
 */
type StripeFault = { status: number; type: string; code?: string } | "cut" | "lost" | "silence";

interface StripeRequest {
  method: string;
  path: string;
  form: Form;
  version: string | undefined;
  key: string | undefined;
}

/** A minimal Stripe: one account in test mode, with simulated faults. */
export interface StripeStandIn extends StandIn {
  account: Account;
  requests: readonly StripeRequest[];
  events: readonly Stripe.Event[];
  /** Makes the next requests whose path matches fail with this fault. */
  fail(times: number, path: RegExp, fault: StripeFault): void;
  /** Removes the remaining faults. */
  clear(): void;
}

interface IdempotentAnswer {
  content: string;
  status: number;
  body: object;
}

class Refusal extends Error {
  readonly status: number;
  readonly body: object;

  constructor(status: number, error: { type: string; message: string; code?: string }) {
    super(error.message);
    this.status = status;
    this.body = { error };
  }
}

/** Opens the stand-in, which rejects requests without its key as Stripe does. */
export async function openStripeStandIn(options: {
  secretKey: string;
  now?: () => Date;
}): Promise<StripeStandIn> {
  const { secretKey, now = () => new Date() } = options;
  const requests: StripeRequest[] = [];
  const faults: { path: RegExp; fault: StripeFault }[] = [];
  const events: Stripe.Event[] = [];
  const kept = new Map<string, IdempotentAnswer>();
  const account = openAccount({
    now,
    onEvent: (type, object) =>
      void events.push(toEvent(account.newId("evt"), { type, object, now })),
  });
  const takeFault = (path: string): StripeFault | undefined => {
    const at = faults.findIndex((one) => one.path.test(path));
    return at < 0 ? undefined : faults.splice(at, 1)[0]?.fault;
  };
  const listen = async (request: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const { method = "GET", headers } = request;
    const url = new URL(request.url ?? "/", "http://stripe");
    const text = Buffer.concat(await request.toArray()).toString();
    const form = readForm(method === "GET" ? url.search.slice(1) : text);
    const version = firstOf(headers["stripe-version"]);
    const key = firstOf(headers["idempotency-key"]);
    requests.push({ method, path: url.pathname, form, version, key });
    const fault = takeFault(url.pathname);
    if (fault === "silence") return;
    if (fault === "cut") return void request.socket.destroy();
    if (fault && fault !== "lost") {
      const { status, ...error } = fault;
      return send(answer, status, {
        error: { message: "ada@example.org, says the stand-in", ...error },
      });
    }
    const send200 = (body: object, isReplay = false) => {
      if (fault === "lost") request.socket.destroy();
      else send(answer, 200, body, isReplay ? { "idempotent-replayed": "true" } : {});
    };
    try {
      if (headers.authorization !== `Bearer ${secretKey}`) throw unauthenticated();
      const before = key === undefined ? undefined : kept.get(key);
      const content = `${url.pathname}?${text}`;
      if (before && before.content !== content) throw otherContent();
      if (before) return send200(before.body, true);
      const body = operate(account, { method, path: url.pathname, form });
      // A copy: a replay returns the object as it was then.
      if (key !== undefined) kept.set(key, { content, status: 200, body: structuredClone(body) });
      send200(body);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      send(answer, error.status, error.body);
    }
  };
  const server = await openStandIn((request, answer) => {
    listen(request, answer).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      send(
        answer,
        500,
        { error: { type: "api_error", message } },
        { "stripe-should-retry": "false" },
      );
    });
  });
  return {
    ...server,
    account,
    requests,
    events,
    fail: (times, path, fault) =>
      void faults.push(...Array.from({ length: times }, () => ({ path, fault }))),
    clear: () => void faults.splice(0),
  };
}

function toEvent(
  id: string,
  { type, object, now }: { type: Stripe.Event.Type; object: object; now: () => Date },
): Stripe.Event {
  const event = {
    id,
    object: "event",
    api_version: "2026-10-28.endive",
    created: Math.floor(now().getTime() / 1_000),
    data: { object: structuredClone(object) },
    livemode: false,
    pending_webhooks: 1,
    request: null,
    type,
  };
  return event as Stripe.Event;
}

interface Operation {
  method: string;
  path: string;
  form: Form;
}

function operate(account: Account, { method, path, form }: Operation): object {
  const [, , resource = "", id = "", action = ""] = path.split("/");
  const route = `${method} ${resource}`;
  if (route === "POST customers") {
    const metadata = { organizationId: textAt(form, "metadata", "organizationId") ?? "" };
    return account.createCustomer({ description: textAt(form, "description") ?? null, metadata });
  }
  if (route === "GET customers") return readCustomer(account, id, form);
  if (route === "GET subscriptions") return listSubscriptions(account, form);
  if (route === "DELETE subscriptions") return endSubscription(account, id);
  if (route === "GET invoices") return listInvoices(account, form);
  if (route === "POST billing_portal")
    return account.createPortal({
      customer: requireCustomer(account, form),
      return_url: textAt(form, "return_url") ?? "",
    });
  if (route === "GET prices") return readPrice(id);
  if (route === "GET checkout") return listCheckouts(account, form);
  if (route === "POST checkout" && action === "") return createCheckout(account, form);
  if (route === "POST checkout") return expireCheckout(account, action);
  throw new Refusal(404, { type: "invalid_request_error", message: `Unrecognized ${route}` });
}

function readCustomer(account: Account, id: string, form: Form): object {
  const customer = account.customers.get(id);
  if (!customer) throw missing("customer", id);
  if (customer.deleted === true) return customer;
  const { tax_ids: taxIds, ...shown } = customer;
  const isAsked = JSON.stringify(form).includes("tax_ids");
  return isAsked ? { ...shown, tax_ids: taxIds } : shown;
}

function listSubscriptions(account: Account, form: Form): object {
  const customer = requireCustomer(account, form, { isDeletedTaken: true });
  const found = [...account.subscriptions.values()]
    .filter((one) => one.customer === customer)
    .map((one) => ({
      ...one,
      latest_invoice: account.invoices.find(({ id }) => id === one.latest_invoice) ?? null,
      default_payment_method: account.methods.get(idOf(one.default_payment_method)) ?? null,
    }));
  return toList(found.toReversed(), form, "/v1/subscriptions");
}

/** Stripe reports an ended subscription as missing. */
function endSubscription(account: Account, id: string): object {
  const status = account.subscriptions.get(id)?.status ?? "canceled";
  if (status === "canceled" || status === "incomplete_expired") throw missing("subscription", id);
  account.end(id);
  return account.subscriptions.get(id) ?? {};
}

function listInvoices(account: Account, form: Form): object {
  const customer = requireCustomer(account, form, { isDeletedTaken: true });
  const all = account.invoices.filter((one) => one.customer === customer).toReversed();
  return toList(all, form, "/v1/invoices");
}

function listCheckouts(account: Account, form: Form): object {
  const customer = requireCustomer(account, form);
  const found = [...account.checkouts.values()].filter(
    (one) => one.customer === customer && one.status === (textAt(form, "status") ?? one.status),
  );
  return toList(found.toReversed(), form, "/v1/checkout/sessions");
}

function readPrice(id: string): object {
  if (!/^price_(pro|business)/.test(id)) throw missing("price", id);
  return newPrice(id);
}

function createCheckout(account: Account, form: Form): object {
  const price = textAt(form, "line_items", "0", "price") ?? "";
  if (!/^price_(pro|business)/.test(price)) throw missing("price", price);
  return account.createCheckout({
    price,
    customer: requireCustomer(account, form),
    client_reference_id: textAt(form, "client_reference_id") ?? null,
    success_url: textAt(form, "success_url") ?? "",
    cancel_url: textAt(form, "cancel_url") ?? "",
  });
}

function expireCheckout(account: Account, id: string): object {
  const session = account.checkouts.get(id);
  if (!session) throw missing("checkout.session", id);
  if (session.status !== "open")
    throw new Refusal(400, { type: "invalid_request_error", message: `${id} is not open` });
  return Object.assign(session, { status: "expired", url: null });
}

function requireCustomer(account: Account, form: Form, { isDeletedTaken = false } = {}): string {
  const id = textAt(form, "customer") ?? "";
  const customer = account.customers.get(id);
  if (!customer || (customer.deleted === true && !isDeletedTaken)) throw missing("customer", id);
  return id;
}

function toList<T extends { id: string }>(all: T[], form: Form, url: string): Stripe.ApiList<T> {
  const limit = Number(textAt(form, "limit") ?? 10);
  const after = textAt(form, "starting_after");
  const at = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && at === 0) throw missing("object", after);
  const data = all.slice(at, at + limit);
  return { object: "list", url, data, has_more: at + limit < all.length };
}

function missing(noun: string, id: string): Refusal {
  const message = `No such ${noun}: '${id}'`;
  return new Refusal(404, { type: "invalid_request_error", code: "resource_missing", message });
}

function unauthenticated(): Refusal {
  return new Refusal(401, { type: "invalid_request_error", message: "Invalid API Key provided" });
}

function otherContent(): Refusal {
  const message = "Keys for idempotent requests can only be used with the same parameters.";
  return new Refusal(400, { type: "idempotency_error", message });
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function send(
  answer: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  const common = { "content-type": "application/json", "request-id": "req_standin" };
  answer.writeHead(status, { ...common, ...headers }).end(JSON.stringify(body));
}
