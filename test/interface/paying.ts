import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Db } from "../../packages/server/platform/db/db.ts";
import { openDatabase } from "../../packages/server/platform/db/open.ts";
import { openLog } from "../../packages/server/platform/log.ts";
import { openTestDatabase } from "../database.ts";
import { type TestAnswer, type TestRequest, operatorToken, service } from "../harness.ts";
import { type StripeStandIn, openStripeStandIn } from "../stand-ins/stripe.ts";
import { newUserBy, password } from "./accounts.ts";
import { openAnotherService } from "./another-service.ts";

export const secretKey = "sk_test_standinkey";
export const webhookSecret = "whsec_standinsecret";
const settings = {
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_PRICES: "pro=price_pro,pro=price_pro_yearly,business=price_business",
  PLANS: '{"business":{"title":"Business"},"pro":{"seatsMax":3}}',
  CORS_ORIGINS: "https://admin.example",
  OPERATOR_TOKEN: operatorToken,
};

/** A user with an organization and a project in it. */
export interface Payer {
  token: string;
  email: string;
  id: string;
  organization: string;
  project: string;
}

/** A service with its own database and Stripe. */
export interface Paying extends AsyncDisposable {
  url: string;
  stripe: StripeStandIn;
  db: Db;
  databaseUrl: string;
  lines: readonly string[];
  env: Record<string, string>;
  send(path: string, request?: TestRequest): Promise<TestAnswer>;
  newUser(): Promise<{ token: string; email: string; id: string }>;
  /** The payer with a new token. */
  signIn(payer: Payer): Promise<Payer>;
  newPayer(): Promise<Payer>;
  checkout(payer: Payer, json?: object, headers?: Record<string, string>): Promise<TestAnswer>;
  /** Buys a plan; returns the subscription's id. */
  buy(payer: Payer, plan?: string): Promise<string>;
  read(payer: Payer): Promise<TestAnswer>;
}

export async function openPaying(
  change: Record<string, string> = {},
  now: () => Date = service.clock.now,
): Promise<Paying> {
  await using opened = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), "avow-paying-"));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const database = opened.use(await openTestDatabase());
  const stripe = opened.use(await openStripeStandIn({ secretKey, now }));
  const env = { DATA_DIR: dataDir, ...settings, STRIPE_API_URL: stripe.url, ...change };
  const { url, lines } = opened.use(await openAnotherService(database.url, env, now));
  const log = openLog({ level: "fatal", format: "json" });
  const db = openDatabase({ url: database.url, poolMax: 2, queueMax: 100, log });
  opened.defer(() => db.destroy());

  const send = (path: string, request: TestRequest = {}): Promise<TestAnswer> =>
    service.fetch(path.startsWith("http") ? path : url + path, request);
  const create = async (path: string, json: object, token?: string) => {
    const { status, body } = await send(path, { json, ...(token === undefined ? {} : { token }) });
    assert.ok(status < 300, `${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const newUser = () => newUserBy(send);
  const checkout: Paying["checkout"] = ({ token, organization }, json = {}, headers = {}) =>
    send("/v1/billing/checkout", {
      token,
      headers,
      json: { organizationId: organization, plan: "pro", ...json },
    });
  const owned = opened.move();
  return {
    url,
    stripe,
    db,
    databaseUrl: database.url,
    lines,
    env,
    send,
    newUser,
    async signIn(payer) {
      const json = { username: payer.email, password };
      const { token } = await create("/v1/auth/local/signin", json);
      return { ...payer, token };
    },
    checkout,
    async newPayer() {
      const { token, email, id } = await newUser();
      const { id: organization } = await create(
        "/v1/vault/organizations",
        { name: "Shops Ltd" },
        token,
      );
      const site = {
        websiteURL: "https://shop.example",
        title: "Shop",
        organizationId: organization,
      };
      const DPO = { organization: "Shop Ltd", address: "1 High Street, Paris" };
      const { id: project } = await create("/v1/vault/projects", { ...site, DPO }, token);
      return { token, email, id, organization, project };
    },
    async buy(payer, plan = "pro") {
      const { status, body } = await checkout(payer, { plan });
      assert.equal(status, 200, JSON.stringify(body));
      return stripe.account.complete(body.url);
    },
    read: ({ token, organization }) => send(`/v1/billing/organizations/${organization}`, { token }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
