import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { importFile, toCsv } from "./imports.ts";
import { assertProven, waitForProof } from "./proofs.ts";
import { collect, newSite, readToken, share } from "./site.ts";
import { newLiveSite, newTicket, shop } from "./tickets.ts";

const accepted = { accept: true, token: "visitor" };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("the assurance level of a record", () => {
  it("is `browser` for public requests, and proven so", async () => {
    const site = await newSite();
    const { body } = await collect(site, "cookies", site.cookies, accepted);
    assert.equal(body.grade, "browser");
    const record = await assertProven(await waitForProof(body.consentId, "visitor"));
    assert.equal(record["grade"], "browser");
    assert.equal("displayedAt" in record, false);
  });

  it("is `ticketed` with a ticket, which also proves the display time", async () => {
    const site = await newLiveSite();
    const before = Date.now();
    const ticket = await newTicket(site);
    const after = Date.now();
    const json = { ...accepted, ticket };
    const { status, body } = await collect(site, "cookies", site.cookies, json, { origin: shop });
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(body.grade, "ticketed");
    assert.equal(body.warnings, undefined);
    assert.equal(body.ticket, undefined, "it cannot be used again");
    const displayedAt = Date.parse(body.displayedAt);
    assert.ok(displayedAt >= before - 10 && displayedAt <= after + 10, body.displayedAt);
    const record = await assertProven(await waitForProof(body.consentId, "visitor"));
    assert.equal(record["grade"], "ticketed");
    assert.equal(record["displayedAt"], body.displayedAt);
  });

  it("is `server` for roles that may add consents: the project's owners and editors", async () => {
    const site = await newSite();
    for (const token of [site.token, await share(site, "editor")]) {
      const { status, body } = await collect(
        site,
        "cookies",
        site.cookies,
        accepted,
        bearer(token),
      );
      assert.equal(status, 201, JSON.stringify(body));
      assert.equal(body.grade, "server");
      const record = await assertProven(await waitForProof(body.consentId, "visitor"));
      assert.equal(record["grade"], "server");
    }
  });

  it("is `server` when a server forwards a visitor's ticket, with the display", async () => {
    const site = await newLiveSite();
    const json = { ...accepted, ticket: await newTicket(site) };
    const headers = bearer(site.token);
    const { body } = await collect(site, "cookies", site.cookies, json, headers);
    assert.equal(body.grade, "server");
    assert.match(body.displayedAt, /^\d{4}-/);
    const again = await collect(site, "cookies", site.cookies, json, { origin: shop });
    assert.equal(again.body.grade, "browser", "the ticket was used");
  });

  it("is `imported` for files", async () => {
    const site = await newSite();
    await importFile(site, toCsv(site, [{ token: "visitor" }]));
    const { body } = await readToken(site, "visitor");
    assert.equal(body.history[0].grade, "imported");
    assert.equal(body.history[0].signals, null);
    const bundle = await waitForProof(body.history[0].consentId, "visitor");
    assert.equal((await assertProven(bundle))["grade"], "imported");
  });

  it("is not raised by a visitor's token in any position", async () => {
    const site = await newSite();
    const at = hrefOf("", paths.collect, {
      projectId: site.id,
      collection: "cookies",
      identifier: site.cookies,
    });
    const { status, body } = await service.fetch(`${at}?token=${site.token}`, {
      json: { accept: true, token: site.token },
    });
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(body.grade, "browser");
  });

  it("is in the registry, a token's history, the latest record and both exports", async () => {
    const site = await newLiveSite();
    const ticketed = { ...accepted, ticket: await newTicket(site) };
    const headers = { origin: shop, "sec-gpc": "1" };
    const preferences = { googleConsentMode: { ad_storage: "denied" }, tcString: "CPXX" };
    const json = { ...ticketed, preferences };
    const { body } = await collect(site, "cookies", site.cookies, json, headers);
    const { token } = site;
    const list = await service.fetch(hrefOf("", paths.consents, { projectId: site.id }), { token });
    assert.deepEqual(list.body, [body]);
    assert.deepEqual((await readToken(site, "visitor")).body.history, [body]);
    const query = { token: "visitor" };
    const latest = hrefOf("", paths.latestConsent, { projectId: site.id }, query);
    assert.deepEqual((await service.fetch(latest)).body, body);
    const exported = await service.fetch(
      hrefOf("", paths.export, { projectId: site.id, format: "ndjson" }),
      { token },
    );
    const { receipt: _, links: __, ...kept } = body;
    assert.deepEqual(JSON.parse(String(exported.body).split("\n", 1)[0] ?? ""), kept);
  });
});

describe("an access token on the collection routes", () => {
  const item = (site: { cookies: string }) => ({
    id: randomUUID(),
    collection: "cookies",
    identifier: site.cookies,
    ...accepted,
  });

  it("returns 403 when unknown, revoked or malformed, and nothing is stored", async () => {
    const site = await newSite();
    const { token: revoked } = await service.newUser();
    await service.fetch(paths.logout, { method: "POST", token: revoked });
    const json = [item(site)];
    const batch = hrefOf("", paths.collectBatch, { projectId: site.id });
    for (const authorization of ["Bearer wrong", `Bearer ${revoked}`, "Bearer", "Basic dTpw"]) {
      const headers = { authorization };
      const one = await collect(site, "cookies", site.cookies, accepted, headers);
      assert.equal(one.status, 403, authorization);
      assert.match(one.headers.get("www-authenticate") ?? "", /^Bearer/);
      assert.equal((await service.fetch(batch, { json, headers })).status, 403, authorization);
    }
    assert.equal((await service.fetch(`${batch}?access_token=wrong`, { json })).status, 403);
    assert.deepEqual((await readToken(site, "visitor")).body.history, []);
  });

  it("returns 403 for a role that may not add consents, 404 without access to the project", async () => {
    const site = await newSite();
    const stranger = await newSite();
    const batch = hrefOf("", paths.collectBatch, { projectId: site.id });
    const cases = [
      [await share(site, "viewer"), 403],
      [await share(site, "auditor"), 403],
      [stranger.token, 404],
    ] as const;
    for (const [token, expected] of cases) {
      const one = await collect(site, "cookies", site.cookies, accepted, bearer(token));
      assert.equal(one.status, expected, JSON.stringify(one.body));
      assert.equal((await service.fetch(batch, { json: [item(site)], token })).status, expected);
    }
    assert.deepEqual((await readToken(site, "visitor")).body.history, []);
  });

  it("makes every record of a batch `server`, also in the query, which caches must not store then", async () => {
    const site = await newSite();
    const at = `${hrefOf("", paths.collectBatch, { projectId: site.id })}?access_token=${site.token}`;
    const { status, body, headers } = await service.fetch(at, { json: [item(site), item(site)] });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      body.map((one: { grade: string }) => one.grade),
      ["server", "server"],
    );
    assert.equal(headers.get("cache-control"), "no-store");
  });
});

describe("signals", () => {
  const signalsOf = async (json: object, headers: Record<string, string>) => {
    const site = await newSite();
    const sent = { ...accepted, ...json };
    const { body } = await collect(site, "cookies", site.cookies, sent, headers);
    const record = await assertProven(await waitForProof(body.consentId, "visitor"));
    assert.deepEqual(record["signals"], body.signals);
    return body.signals;
  };

  it("record Global Privacy Control only for the header Sec-GPC with 1", async () => {
    const none = { googleConsentMode: null, tcString: null };
    assert.deepEqual(await signalsOf({}, {}), { gpc: false, ...none });
    assert.deepEqual(await signalsOf({}, { "sec-gpc": "1" }), { gpc: true, ...none });
    for (const other of ["0", "true", "1, 1"])
      assert.deepEqual(await signalsOf({}, { "sec-gpc": other }), { gpc: false, ...none }, other);
  });

  it("record the consent mode and the TC string of the preferences", async () => {
    const googleConsentMode = { ad_storage: "denied", analytics_storage: "granted" };
    const preferences = { googleConsentMode, tcString: "CPXX", vendors: { matomo: true } };
    const signals = await signalsOf({ preferences }, { "sec-gpc": "1" });
    assert.deepEqual(signals, { gpc: true, googleConsentMode, tcString: "CPXX" });
  });

  it("are those of the request for every record of a batch", async () => {
    const site = await newSite();
    const item = { collection: "cookies", identifier: site.cookies, ...accepted };
    const json = [
      { ...item, id: "a" },
      { ...item, id: "b" },
    ];
    const at = hrefOf("", paths.collectBatch, { projectId: site.id });
    const { body } = await service.fetch(at, { json, headers: { "sec-gpc": "1" } });
    assert.deepEqual(
      body.map((one: { signals: { gpc: boolean } }) => one.signals.gpc),
      [true, true],
    );
  });

  it("are null in an old row, whose proof is unchanged", async () => {
    const site = await newSite();
    const { body } = await collect(site, "cookies", site.cookies, accepted);
    await waitForProof(body.consentId, "visitor");
    const { body: old } = await collect(site, "cookies", site.cookies, {
      accept: true,
      token: "o",
    });
    await waitForProof(old.consentId, "o");
    // Such rows existed before the columns: their commitment must be created again.
    const unset = { gpc: null };
    await service.data
      .updateTable("consents")
      .set(unset)
      .where("project_id", "=", site.id)
      .where("id", "=", old.consentId)
      .execute();
    const bundle = await waitForProof(old.consentId, "o");
    assert.equal(bundle.consent.record.signals, null);
    assert.equal(bundle.consent.record.grade, "browser");
    await assert.rejects(assertProven(bundle), /inclusion/);
  });
});
