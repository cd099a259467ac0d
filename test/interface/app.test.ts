import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { uuidPattern } from "../../packages/server/kernel/ids.ts";
import { service } from "../harness.ts";
import { collect, create, newSite, publish, readToken, toCookies, vendors } from "./site.ts";

const unknownId = "0123456789abcdef01234567";
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

describe("POST /v1/app/consents/{projectId}/{collection}/{identifier}", () => {
  test("returns 201 with the record, its receipt, headers and links", async () => {
    const site = await newSite();
    const sent = {
      accept: true,
      token: "visitor 1",
      preferences: {
        vendors: { matomo: true, chat: false },
        config: { identifier: site.cookies, name: "Banner", language: "en" },
        googleConsentMode: { ad_storage: "denied" },
        tcString: "CPXX",
        unknown: 1,
      },
      value: { form: [1, "a", null] },
      timestamp: new Date().toISOString(),
      language: "en-GB",
      url: "https://shop.example/cart?session=secret#top",
      unknown: true,
    };
    const { status, body } = await collect(site, "cookies", site.cookies, sent, {
      "user-agent": firefox,
    });
    assert.equal(status, 201, JSON.stringify(body));
    assert.match(body.consentId, uuidPattern);
    assert.equal(body._id, body.consentId);
    assert.equal(body.projectId, site.id);
    assert.equal(body.collection, "cookies");
    assert.equal(body.identifier, site.cookies);
    assert.equal(body.token, "visitor 1");
    assert.equal(body.accept, true);
    const { unknown: _, ...preferences } = sent.preferences;
    assert.deepEqual(body.preferences, preferences);
    assert.deepEqual(body.value, sent.value);
    assert.ok(Math.abs(Date.parse(body.createdAt) - Date.now()) < 10_000);
    assert.equal(body.version, null);
    assert.equal(body.timestamp, sent.timestamp);
    assert.equal(body.url, "https://shop.example/cart");
    assert.ok(body.receipt.links);
    assert.deepEqual(body.headers, { userAgent: "Firefox" });
    assert.equal(body.warnings, undefined);
    assert.ok(body.links.state.endsWith(`/v1/client/${site.id}/consents/visitor%201`));
    assert.equal(body.unknown, undefined);
  });

  test("returns 201 only once the row is durable: another connection sees it", async () => {
    const site = await newSite();
    const { body } = await collect(site, "processings", site.processing, {
      accept: true,
      token: "t",
    });
    const row = await service.data
      .selectFrom("consents")
      .selectAll()
      .where("project_id", "=", site.id)
      .where("id", "=", body.consentId)
      .executeTakeFirstOrThrow();
    assert.equal(row.token, "t");
    const state = await service.data
      .selectFrom("consent_states")
      .selectAll()
      .where("project_id", "=", site.id)
      .executeTakeFirstOrThrow();
    assert.equal(state.consent_id, body.consentId);
  });

  test("stores no personal data besides the answer: neither the page's query nor the whole user agent", async () => {
    const site = await newSite();
    const url = "https://user:word@shop.example/a?mail=me@example.org#x";
    await collect(
      site,
      "contracts",
      site.contract,
      { accept: true, url },
      { "user-agent": firefox },
    );
    const row = await service.data
      .selectFrom("consents")
      .selectAll()
      .where("project_id", "=", site.id)
      .executeTakeFirstOrThrow();
    assert.equal(row.url, "https://shop.example/a");
    assert.equal(row.user_agent, "Firefox");
  });

  test("creates and returns a token when none is sent", async () => {
    const site = await newSite();
    const [a, b] = await Promise.all([
      collect(site, "processings", site.processing, { accept: true }),
      collect(site, "processings", site.processing, { accept: true }),
    ]);
    assert.match(a.body.token, /^[0-9a-z]{9}[\w-]{22}$/);
    assert.notEqual(a.body.token, b.body.token);
  });

  test("stores as `version` the published version that was displayed", async () => {
    const site = await newSite();
    await publish(site);
    const { body } = await collect(site, "cookies", site.cookies, { accept: true });
    assert.equal(body.version, 1);
    await publish(site);
    const again = await collect(site, "cookies", site.cookies, { accept: true });
    assert.equal(again.body.version, 2);
  });

  test("accepts bodies up to 100 KiB, returns 413 beyond", async () => {
    const site = await newSite();
    const fits = await collect(site, "contracts", site.contract, {
      accept: true,
      value: "x".repeat(100_000),
    });
    assert.equal(fits.status, 201);
    const over = await collect(site, "contracts", site.contract, {
      accept: true,
      value: "x".repeat(102_400),
    });
    assert.equal(over.status, 413);
    assert.equal(over.headers.get("content-type"), "application/problem+json; charset=utf-8");
  });

  test("requires `identifier` to be a configuration of the project and collection that is not deleted (404)", async () => {
    const [site, other] = await Promise.all([newSite(), newSite()]);
    const answer = { accept: true };
    assert.equal((await collect(site, "cookies", unknownId, answer)).status, 404);
    assert.equal(
      (await collect(site, "cookies", other.cookies, answer)).status,
      404,
      "of another project",
    );
    assert.equal(
      (await collect(site, "contracts", site.cookies, answer)).status,
      404,
      "of another collection",
    );
    assert.equal(
      (await collect(site, "vendors", site.cookies, answer)).status,
      404,
      "no collection at all",
    );
    assert.equal((await collect({ id: unknownId }, "cookies", site.cookies, answer)).status, 404);
    await service.fetch(`/v1/vault/contracts/${site.contract}`, {
      method: "DELETE",
      token: site.token,
    });
    assert.equal((await collect(site, "contracts", site.contract, answer)).status, 404, "deleted");
    const gone = `/v1/vault/projects/${site.id}?confirm=${site.id}`;
    assert.equal((await service.fetch(gone, { method: "DELETE", token: site.token })).status, 204);
    assert.equal(
      (await collect(site, "cookies", site.cookies, answer)).status,
      404,
      "project deleted",
    );
  });

  test("stores unknown vendor slugs, and reports them in `warnings`", async () => {
    const site = await newSite();
    const preferences = { vendors: { matomo: true, session: true, "of/nowhere": true } };
    const { status, body } = await collect(site, "cookies", site.cookies, {
      accept: true,
      preferences,
    });
    assert.equal(status, 201);
    assert.deepEqual(body.preferences, preferences);
    assert.deepEqual(
      body.warnings.map((w: { path: string }) => w.path),
      ["/preferences/vendors/of~1nowhere"],
    );
  });

  test("checks vendor slugs against the live configuration, not the draft", async () => {
    const site = await newSite();
    await publish(site);
    const steps = [{ name: "new", layout: "category", vendors: [{ name: "newcomer" }] }];
    const path = `/v1/vault/cookies/${site.cookies}`;
    await service.fetch(path, { method: "PATCH", token: site.token, json: { steps } });
    const preferences = { vendors: { matomo: true, newcomer: true } };
    const { body } = await collect(site, "cookies", site.cookies, { accept: true, preferences });
    assert.deepEqual(
      body.warnings.map((w: { path: string }) => w.path),
      ["/preferences/vendors/newcomer"],
    );
    await publish(site);
    const later = await collect(site, "cookies", site.cookies, { accept: true, preferences });
    assert.deepEqual(
      later.body.warnings.map((w: { path: string }) => w.path),
      ["/preferences/vendors/matomo"],
    );
  });

  test("offers vendors that are ids of vault vendors by their own slug", async () => {
    const site = await newSite();
    const vendor = await create(site.token, "vendors", { projectId: site.id, ...vendors[0] });
    const steps = [{ name: "a", layout: "category", vendors: [vendor] }];
    const cookies = await create(site.token, "cookies", toCookies(site.id, { steps }));
    const preferences = { vendors: { matomo: true } };
    const { body } = await collect(site, "cookies", cookies, { accept: true, preferences });
    assert.equal(body.warnings, undefined);
  });

  test("stores `timestamp` besides createdAt, never instead; flags a future or far-past one", async () => {
    const site = await newSite();
    const send = async (timestamp: string | number) => {
      const { status, body } = await collect(site, "processings", site.processing, {
        accept: true,
        timestamp,
      });
      assert.equal(status, 201, JSON.stringify(body));
      assert.ok(Math.abs(Date.parse(body.createdAt) - Date.now()) < 10_000);
      assert.equal(body.timestamp, new Date(timestamp).toISOString());
      return body.warnings?.map((w: { path: string }) => w.path);
    };
    const day = 86_400_000;
    assert.deepEqual(await send(new Date(Date.now() + 6 * 60_000).toISOString()), ["/timestamp"]);
    assert.deepEqual(await send(Date.now() - 31 * day), ["/timestamp"]);
    assert.deepEqual(await send("0001-01-01T00:00:00Z"), ["/timestamp"]);
    assert.equal(await send(new Date(Date.now() + 4 * 60_000).toISOString()), undefined);
    assert.equal(await send(Date.now() - 29 * day), undefined);
  });

  const invalid: Record<string, [object, string]> = {
    "accept missing": [{}, "/accept"],
    "accept no boolean": [{ accept: "true" }, "/accept"],
    "token empty": [{ accept: true, token: "" }, "/token"],
    "token over 256": [{ accept: true, token: "x".repeat(257) }, "/token"],
    "token with a control character": [{ accept: true, token: "a\u0007" }, "/token"],
    "token that no address can hold": [{ accept: true, token: ".." }, "/token"],
    "vendor no boolean": [
      { accept: true, preferences: { vendors: { "a\nb": 1 } } },
      "/preferences/vendors/a\nb",
    ],
    "tcString over 8 KiB": [
      { accept: true, preferences: { tcString: "x".repeat(8_193) } },
      "/preferences/tcString",
    ],
    "gppString over 9 KiB": [
      { accept: true, preferences: { gppString: "x".repeat(9_217) } },
      "/preferences/gppString",
    ],
    "language none": [{ accept: true, language: "en us" }, "/language"],
    "url not http": [{ accept: true, url: "javascript:alert(1)" }, "/url"],
    "url none": [{ accept: true, url: "http://[x" }, "/url"],
    "url over 2048": [{ accept: true, url: `https://x.test/${"x".repeat(2_048)}` }, "/url"],
    "timestamp none": [{ accept: true, timestamp: "yesterday" }, "/timestamp"],
    "timestamp of the year 0": [{ accept: true, timestamp: "0000-12-31T00:00:00Z" }, "/timestamp"],
    "timestamp that is a leap second": [
      { accept: true, timestamp: "1990-12-31T23:59:60Z" },
      "/timestamp",
    ],
  };
  for (const [name, [json, path]] of Object.entries(invalid))
    test(`rejects ${name} with 400, and writes nothing`, async () => {
      const site = await newSite();
      const { status, body } = await collect(site, "cookies", site.cookies, json);
      assert.equal(status, 400, JSON.stringify(body));
      assert.ok(
        body.errors.some((e: { path: string }) => e.path === path),
        JSON.stringify(body.errors),
      );
      const rows = await service.data
        .selectFrom("consents")
        .select("id")
        .where("project_id", "=", site.id)
        .execute();
      assert.equal(rows.length, 0);
    });

  test("describes the expected text when one is invalid", async () => {
    const site = await newSite();
    const rules = {
      token: ["a\u0007", "printable characters that identify the visitor, not . or .. alone"],
      language: ["en us", "a language tag such as en or pt-BR"],
      url: ["page", "the page's http or https address, which is kept without query and fragment"],
    };
    for (const [field, [value, rule]] of Object.entries(rules)) {
      const json = { accept: true, [field]: value };
      const { body } = await collect(site, "cookies", site.cookies, json);
      assert.equal(body.detail, `/${field}: must be ${rule}`);
    }
  });

  test("rejects more than 500 vendors with 400", async () => {
    const site = await newSite();
    const map = Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`v${n}`, true]));
    const { status } = await collect(site, "cookies", site.cookies, {
      accept: true,
      preferences: { vendors: map },
    });
    assert.equal(status, 400);
  });

  test("returns a token of 256 characters that must be percent-encoded in a URL", async () => {
    const site = await newSite();
    const token = "é/? a%b".repeat(37).slice(0, 256);
    const { status } = await collect(site, "processings", site.processing, { accept: true, token });
    assert.equal(status, 201);
    const at = hrefOf("", paths.clientConsents, { id: site.id, token });
    const { body } = await service.fetch(at, { token: site.token });
    assert.equal(body.token, token);
    assert.equal(body.history.length, 1);
  });

  test("allows any origin without credentials (CORS), and requires no token", async () => {
    const site = await newSite();
    const origin = { origin: "https://anywhere.example" };
    const { headers } = await collect(site, "cookies", site.cookies, { accept: true }, origin);
    assert.equal(headers.get("access-control-allow-origin"), "*");
    assert.equal(headers.get("access-control-allow-credentials"), null);
    const at = hrefOf("", paths.collect, {
      projectId: site.id,
      collection: "cookies",
      identifier: site.cookies,
    });
    const preflight = await service.fetch(at, {
      method: "OPTIONS",
      headers: { ...origin, "access-control-request-method": "POST" },
    });
    assert.equal(preflight.headers.get("access-control-allow-origin"), "*");
  });

  test("returns the first response for the same Idempotency-Key and body, 422 for another body; concurrent ones create one", async () => {
    const site = await newSite();
    const key = { "idempotency-key": `k-${site.id}` };
    const send = (json: object) => collect(site, "processings", site.processing, json, key);
    const answers = await Promise.all([send({ accept: true }), send({ accept: true })]);
    assert.deepEqual(
      answers.map((a) => a.status),
      [201, 201],
    );
    assert.deepEqual(answers[0]?.body, answers[1]?.body);
    assert.equal((await send({ accept: false })).status, 422);
    const rows = await service.data
      .selectFrom("consents")
      .select("id")
      .where("project_id", "=", site.id)
      .execute();
    assert.equal(rows.length, 1);
  });

  test("appends records with increasing ids; of 100 concurrent ones for one token all count, and the last is current", async () => {
    const site = await newSite();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        collect(site, "cookies", site.cookies, { accept: n % 2 === 0, token: "one" }),
      ),
    );
    assert.ok(answers.every((a) => a.status === 201));
    const last = answers
      .map((a) => a.body)
      .toSorted((a, b) => (a.consentId < b.consentId ? -1 : 1))
      .at(-1);
    assert.equal(new Set(answers.map((a) => a.body.consentId)).size, 100);
    const states = await service.data
      .selectFrom("consent_states")
      .selectAll()
      .where("project_id", "=", site.id)
      .execute();
    assert.deepEqual(
      states.map((state) => [state.consents, state.consent_id]),
      [[100, last.consentId]],
    );
    const { body } = await readToken(site, "one");
    const answered = body.state.filter((entry: { consentId?: string }) => entry.consentId);
    assert.deepEqual(
      answered.map((entry: Record<string, unknown>) => [entry["consentId"], entry["status"]]),
      Array.from({ length: 2 }, () => [last.consentId, last.accept ? "accepted" : "withdrawn"]),
    );
  });
});
