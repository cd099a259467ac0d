import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import * as fc from "fast-check";
import { anyCharacter } from "../any-character.ts";
import { type TestAnswer, type TestRequest, runLog } from "../harness.ts";
import { listOperations } from "../hostile/operations.ts";
import { runs } from "../hostile/runs.ts";
import { openGithub } from "../stand-ins/github.ts";
import { unique } from "./accounts.ts";
import { openTestProvider } from "./provider.ts";
import { openSigning } from "./signing.ts";

/*
 * Hostile tokens, states and addresses at every route of /v1/auth that takes one: nothing returns 5xx, and
 * nothing redirects a browser to an origin that is not configured. That no secret is logged is checked
 * after the whole run (test/log-leaks.ts). A failure prints its seed and path; HOSTILE_SEED repeats it.
 */
const TIMES = 5;
const allowed = "https://admin.example";
/** A redirect target that is configured as a whole: its origin alone is not allowed. */
const exact = "https://exact.example/in?a=b";
const issuer = await openTestProvider();
after(() => issuer[Symbol.asyncDispose]());
const github = await openGithub(() => ({
  id: 7,
  login: "ada",
  email: `${unique()}@example.org`,
  isVerified: true,
}));
after(() => github[Symbol.asyncDispose]());
const client = { clientId: "avow", clientSecret: "s3cret-of-the-fuzzed-client" };
runLog.remember("a client's secret", client.clientSecret);
const avow = await openSigning(
  {
    company: { issuer: issuer.issuer, ...client },
    apple: { issuer: issuer.issuer, ...client },
    github: { ...client, url: github.url, apiUrl: github.url },
  },
  { REDIRECT_URLS: `${allowed},${exact}` },
);
after(() => avow[Symbol.asyncDispose]());
const providers = ["company", "apple", "github"] as const;

/** The origin that a browser at the service resolves a Location to (WHATWG URL). */
function originOf(location: string): string {
  return new URL(location, `${avow.url}/v1/auth/x`).origin;
}

/** Whether a browser resolves this address to a configured redirect target. */
function isConfigured(given: string): boolean {
  if ([allowed, avow.url].includes(originOf(given))) return true;
  const url = new URL(given);
  for (const name of ["state", "token", "code", "error"]) url.searchParams.delete(name);
  return url.href === exact;
}

/** Never a 5xx; a redirect leads to a configured target only. */
function assertSafe(answer: TestAnswer, sent: unknown): void {
  const context = `${JSON.stringify(sent)} → ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300)}`;
  assert.ok(answer.status < 500, context);
  const location = answer.headers.get("location");
  if (location === null) return;
  const elsewhere = [new URL(issuer.issuer).origin, new URL(github.url).origin];
  const isRight = elsewhere.includes(originOf(location)) || isConfigured(location);
  assert.ok(isRight, `leads to ${location}: ${context}`);
  // A page or an older client might parse the address by itself.
  assert.match(location, /^https?:\/\/[\w.:-]+\/[^\s\\]*$/, context);
}

const scheme = fc.constantFrom(
  "https:",
  "http:",
  "HTTPS:",
  "",
  "javascript:",
  "data:",
  "ftp:",
  "blob:https:",
  "\thttps:",
  "ht\ntps:",
);
const slashes = fc.constantFrom(
  "//",
  "/",
  "",
  "\\\\",
  "/\\",
  "///",
  "/\t/",
  "//\u0000",
  "%2f%2f",
  "\u2044\u2044",
);
const userinfo = fc.constantFrom(
  "",
  "",
  "admin.example@",
  "admin.example:443@",
  "https://admin.example@",
  "a:b@",
  "%40",
  "admin.example%2f@",
);
const host = fc.constantFrom(
  "admin.example",
  "evil.example",
  "admin.example.evil.example",
  "evil.example#admin.example",
  "evil.example?admin.example",
  "evil.example\\admin.example",
  "ADMIN.example",
  "admin.example.",
  "admin。example",
  "аdmin.example",
  "ａｄｍｉｎ.example",
  "xn--dmin-7cd.example",
  "admin.example%00.evil.example",
  "admin.example%2eevil.example",
  "[::1]",
  "127.0.0.1",
  "2130706433",
  "0x7f.1",
  "admin.exa\tmple",
  "admin.exa\u00admple",
  "",
);
const port = fc.constantFrom("", "", ":443", ":444", ":0", ":99999", ":", ":443@evil.example");
const rest = fc.constantFrom(
  "",
  "/",
  "/in?a=b#c",
  "/\r\nSet-Cookie: a=b",
  "//evil.example",
  "/..//evil.example",
  "?next=//evil.example",
  "#@evil.example",
);
const crafted = fc
  .tuple(scheme, slashes, userinfo, host, port, rest)
  .map((parts) => parts.join(""));
/** Nearly the configured address, and occasionally exactly it. */
const near = fc
  .tuple(
    fc.constantFrom(
      "https://exact.example",
      "https://exact.example:443",
      "https://exact.example:444",
    ),
    fc.constantFrom("/in", "/in/", "/IN", "/i%6e", "/x/../in", "/in;x", "/", "", "//in", "/in%2f"),
    fc.constantFrom(
      "",
      "?a=b",
      "?a=b&",
      "?a=c",
      "?A=b",
      "?a=b&a=b",
      "?a=b&state=x",
      "?state=x",
      "?state=x&a=b",
    ),
    fc.constantFrom("", "", "#", "#x", "&next=//evil.example", "?"),
  )
  .map((parts) => parts.join(""));
const address = fc.oneof(
  { weight: 3, arbitrary: near },
  { weight: 6, arbitrary: crafted },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.webUrl({ withFragments: true, withQueryParameters: true }) },
  { weight: 1, arbitrary: fc.constant(`${allowed}/in`) },
);
const token = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 80 }),
  fc.string({ unit: "grapheme-ascii", maxLength: 600 }),
  fc.constantFrom(
    "",
    " ",
    "null",
    "undefined",
    "0",
    "../me",
    "%00",
    "a".repeat(9_000),
    "' OR 1=1 --",
    "avw_",
    "\u0000",
    "😀",
  ),
  fc.base64String({ maxLength: 64 }),
);

const search = (parameters: Record<string, string>): string => {
  const given = new URLSearchParams(parameters).toString();
  return given === "" ? "" : `?${given}`;
};
const send = async (path: string, request: TestRequest = {}): Promise<TestAnswer> => {
  const answer = await avow.fetch(path, request);
  assertSafe(answer, { path, ...request });
  return answer;
};

describe("redirect targets", () => {
  for (const provider of providers)
    it(`redirectURI of ${provider} leads to configured origins, or is 400`, () =>
      fc.assert(
        fc.asyncProperty(address, async (redirectURI) => {
          const answer = await send(`/v1/auth/${provider}${search({ redirectURI })}`);
          if (answer.status !== 302) return assert.equal(answer.status, 400, redirectURI);
          // As a browser would resolve it.
          assert.ok(isConfigured(redirectURI), redirectURI);
        }),
        runs(TIMES),
      ));

  it("redirectURI of an address confirmation, and resetUrl of a reset, are validated alike", () =>
    fc.assert(
      fc.asyncProperty(address, async (redirectURI) => {
        const at = `/v1/auth/local/validate${search({ token: "unknown", redirectURI })}`;
        for (const accept of ["text/html", "application/json"])
          await send(at, { headers: { accept } });
        const json = { email: `${unique()}@example.org`, resetUrl: redirectURI };
        const asked = await send("/v1/auth/local/reset-password-token", { json });
        if (asked.status === 200 && redirectURI !== "")
          assert.ok(isConfigured(redirectURI), redirectURI);
      }),
      runs(TIMES),
    ));
});

describe("callbacks of a provider", () => {
  const given = fc.record(
    {
      state: token,
      code: token,
      error: token,
      iss: address,
      error_description: token,
      id_token: token,
    },
    { requiredKeys: [] },
  );
  const cookies = fc.oneof(token, fc.constantFrom("avow_=x", "=;;=", "avow_0123456789abcdef=%00"));

  for (const provider of providers)
    it(`of ${provider} redirect nowhere with a made-up state, in any browser, by GET and POST`, () =>
      fc.assert(
        fc.asyncProperty(given, cookies, async (came, cookie) => {
          const headers = { cookie: encodeURI(cookie.toWellFormed()).slice(0, 4_000) };
          const at = `/v1/auth/${provider}/callback`;
          for (const answer of [
            await send(at + search(came), { headers }),
            await send(at, { method: "POST", form: came, headers }),
          ])
            assert.ok([400, 413].includes(answer.status), JSON.stringify(answer.body));
        }),
        runs(TIMES),
      ));

  for (const provider of providers)
    it(`of ${provider} redirect to the target of the sign-in or nowhere, with the right state and anything else`, () =>
      fc.assert(
        fc.asyncProperty(given, async (came) => {
          const begun = await send(
            `/v1/auth/${provider}${search({ redirectURI: `${allowed}/in` })}`,
          );
          const state =
            new URL(begun.headers.get("location") ?? "").searchParams.get("state") ?? "";
          const cookie = (begun.headers.getSetCookie()[0] ?? "").split(";", 1)[0] ?? "";
          runLog.remember("the state of a sign-in", state);
          const at = `/v1/auth/${provider}/callback`;
          const answer = await send(at + search({ ...came, state }), { headers: { cookie } });
          assert.ok([302, 400, 409, 413].includes(answer.status), JSON.stringify(answer.body));
          if (answer.status === 302)
            assert.equal(originOf(answer.headers.get("location") ?? ""), allowed);
        }),
        runs(TIMES),
      ));
});

describe("tokens", async () => {
  const { token: own } = await avow.newUser();
  const operations = (await listOperations()).filter(({ path }) => path.startsWith("/v1/auth/"));

  for (const { method, path, operationId, isPublic } of operations) {
    const ends = /^(logout|deleteAccessTokens)/.test(operationId);
    it(`made-up ones are rejected by ${operationId}, in any field`, () =>
      fc.assert(
        fc.asyncProperty(token, address, async (value, other) => {
          const valid = encodeURIComponent(value.toWellFormed());
          const filled = path.replaceAll(/\{\w+\}/g, valid || "x");
          const fields = { token: value, code: value, invitationToken: value, label: value };
          const names = { email: other, username: other, redirectURI: other };
          const json = { ...fields, ...names, password: "correct horse" };
          const body = method === "GET" || method === "DELETE" ? {} : { json };
          const query = { token: value, code: value, redirectURI: other };
          const headers = { authorization: `Bearer ${valid}` };
          for (const answer of [
            await send(filled + search({ ...query, access_token: value }), { method, ...body }),
            await send(filled, { method, ...body, headers }),
          ])
            assert.ok(isPublic || answer.status >= 300, JSON.stringify(answer.body));
          if (!ends) await send(filled + search(query), { method, ...body, token: own });
        }),
        // Each password check takes its time, by design.
        runs(operationId.startsWith("sign") ? TIMES / 2 : TIMES),
      ));
  }

  it("still work for an open session after all that", async () => {
    assert.equal((await avow.getMe(own)).status, 200);
  });
});
