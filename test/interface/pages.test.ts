import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, describe, it } from "node:test";
import { problems } from "../../packages/server/http/errors/problems.ts";
import { routeRights } from "../../packages/server/kernel/rights.ts";
import { openTestDatabase } from "../database.ts";
import { type TestAnswer, service } from "../harness.ts";
import { openAnotherService } from "./another-service.ts";
import { newLink } from "./persons.ts";
import { waitForProof } from "./proofs.ts";
import { collect } from "./site.ts";
import { newLiveSite } from "./tickets.ts";

const database = await openTestDatabase();
/** Reached by https, with a provider whose callback answers with a page. */
const secure = await openAnotherService(database.url, {
  PUBLIC_URL: "https://consent.example",
  DEMO: "on",
  SIGN_IN_PROVIDERS: JSON.stringify({ github: { clientId: "id", clientSecret: "secret" } }),
});
after(async () => {
  await secure[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Addresses of the pages of each public route, by its row in the table of rights. */
const pages: Record<string, readonly string[]> = {
  "GET /": ["/"],
  "GET /problems/*": Object.keys(problems).map((name) => `/problems/${name}`),
  "GET /docs": ["/docs"],
  "GET /docs/**": ["/docs/", "/docs/static/oauth2-redirect.html"],
  "GET /demo": ["/demo"],
  "GET /admin": ["/admin"],
  "GET /admin/**": ["/admin/projects", "/admin/reset?token=x"],
  "GET /preview": ["/preview"],
  "GET /verify": ["/verify"],
  "GET /review/*": ["/review/unknown"],
  "GET /c/**": ["/c/0123456789abcdef01234567/unknown"],
  "GET /account/**": [
    "/account/reset?token=x",
    "/account/invitation?token=x",
    "/account/confirm?token=x",
    "/account/confirmed",
  ],
  "GET /v1/auth/*/callback": ["/v1/auth/github/callback?code=x&state=x"],
};

/** The other public routes that answer GET: data, scripts, files and redirects. */
const others = new Set([
  "GET /health/*",
  "GET /metrics",
  "GET /demo/**",
  "GET /cdn/**",
  "GET /widget.js",
  "GET /verify/**",
  "GET /log/**",
  "GET /v1",
  "GET /v1/client/region",
  "GET /v1/domains",
  "GET /v1/openapi.json",
  "GET /v1/webhooks/asyncapi.json",
  "GET /v1/auth/local/validate",
  "GET /v1/auth/local/password-rule",
  "GET /v1/auth/providers",
  "GET /v1/auth/signups",
  "GET /v1/auth/invitations/*",
  "GET /v1/assets/*",
  "GET /v1/assets/*/metadata",
  "GET /v1/app/consent/*",
  "GET /v1/app/proofs/*/consistency",
  "GET /v1/billing/plans",
  "GET /v1/vault/transfers/*",
]);

const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
const visit = (url: string): Promise<TestAnswer> => service.fetch(url, { headers: { accept } });

/** Asserts that a page has a policy without inline code, but for styles that it names by their hash. */
function assertPage({ headers, body }: TestAnswer, url: string): void {
  assert.match(headers.get("content-type") ?? "", /^text\/html/, url);
  const policy = headers.get("content-security-policy") ?? "";
  assert.match(policy, /default-src 'none'/, url);
  assert.match(policy, /frame-ancestors '(?:none|self)'/, url);
  assert.doesNotMatch(policy, /unsafe-|\*/, url);
  assert.equal(headers.get("referrer-policy"), "no-referrer", url);
  assert.equal(headers.get("x-content-type-options"), "nosniff", url);
  for (const [, style = ""] of body.matchAll(/<style>([\s\S]*?)<\/style>/g)) {
    const hash = createHash("sha256").update(style).digest("base64");
    assert.ok(policy.includes(`'sha256-${hash}'`), `${url} has a style that is not allowed`);
  }
  const markup = body.replaceAll(/<(style|script)\b[^>]*>[\s\S]*?<\/\1>/g, "");
  assert.doesNotMatch(markup, /<[a-z][^<>]*\s(?:style|on\w+)=/i, `${url} has inline code`);
}

describe("the service's pages", () => {
  it("are all public routes that answer GET, but for data and files", () => {
    const routes = routeRights
      .filter(({ access }) => access === "public")
      .flatMap((row) => row.routes)
      .filter((route) => route.startsWith("GET "));
    assert.deepEqual(routes.toSorted(), [...Object.keys(pages), ...others].toSorted());
  });

  it("have a strict policy, send no referrer and are reached by https only", async () => {
    for (const path of Object.values(pages).flat()) {
      const answer = await visit(secure.url + path);
      assertPage(answer, path);
      const hsts = answer.headers.get("strict-transport-security");
      assert.equal(hsts, "max-age=31536000", path);
    }
  });

  it("have the same policy for a person, in each state", async () => {
    const site = await newLiveSite();
    const { body } = await collect(site, "cookies", site.cookies, { accept: true, token: "ann" });
    await waitForProof(body.consentId, "ann");
    const { url } = await newLink(site, "ann");
    for (const path of ["", "?end=", `?saved=${body.consentId}`, `/check/${body.consentId}`]) {
      const answer = await visit(url + path);
      assert.equal(answer.status, 200, path);
      assertPage(answer, path);
    }
  });

  it("have the same policy after a form that fails", async () => {
    for (const path of ["reset", "invitation", "confirm"]) {
      const form = { token: "x", password: "correct horse", email: "a@example.org", do: "signup" };
      assertPage(await service.fetch(`/account/${path}`, { form, headers: { accept } }), path);
    }
  });
});

describe("answers that are no pages", () => {
  it("send no referrer, since addresses contain tokens, and no policy that allows inline styles", async () => {
    const site = await newLiveSite();
    for (const path of [
      `/v1/app/consent/${site.id}?token=ann`,
      `/v1/app/proofs/0197f3d2-3b1c-7c3a-9a55-0123456789ab?token=ann`,
      `/v1/auth/me?access_token=${site.token}`,
      "/v1/auth/me?access_token=unknown",
      "/v1/auth/local/validate?token=x",
      "/v1/auth/invitations/x",
      `/cdn/${site.id}.json`,
      "/widget.js",
      "/unknown?token=x",
    ]) {
      const { headers } = await service.fetch(path);
      assert.equal(headers.get("referrer-policy"), "no-referrer", path);
      assert.doesNotMatch(headers.get("content-security-policy") ?? "", /unsafe-/, path);
      assert.equal(headers.get("strict-transport-security"), null, "PUBLIC_URL is http");
    }
    const { headers } = await service.fetch(`${secure.url}/v1`);
    assert.equal(headers.get("strict-transport-security"), "max-age=31536000");
  });
});
