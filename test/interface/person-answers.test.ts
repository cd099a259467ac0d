import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { newLink, post } from "./persons.ts";
import { type Site, collect } from "./site.ts";
import { newLiveSite } from "./tickets.ts";

const ask = (site: Pick<Site, "id">, json: object, token?: string) =>
  service.fetch(hrefOf("", paths.personAnswers, { id: site.id }), {
    json,
    ...(token === undefined ? {} : { token }),
  });

describe("POST /v1/client/{id}/answers", () => {
  it("returns what a token answers now to a client that knows it, and forbids caches", async () => {
    const site = await newLiveSite();
    const accept = { accept: true, token: "ann" };
    assert.equal((await collect(site, "processings", site.processing, accept)).status, 201);
    const { status, body, headers } = await ask(site, { token: "ann" });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(headers.get("cache-control"), "no-store");
    const [{ since, ...answer }, ...others] = body.answers;
    assert.deepEqual(others, [], "items that were never answered are left out");
    assert.deepEqual(answer, {
      collection: "processings",
      identifier: site.processing,
      item: "",
      status: "accepted",
    });
    const { url } = await newLink(site, "ann");
    await post(url, { do: "refuse", identifier: site.processing });
    const [now] = (await ask(site, { token: "ann" })).body.answers;
    assert.equal(now.status, "withdrawn");
    assert.ok(now.since > since, "the start of this status");
  });

  it("accepts a token of the project only, and returns nothing for an unknown one", async () => {
    const [site, other] = [await newLiveSite(), await newLiveSite()];
    await collect(site, "processings", site.processing, { accept: true, token: "ann" });
    assert.deepEqual((await ask(other, { token: "ann" })).body.answers, []);
    assert.deepEqual((await ask(site, { token: "bob" })).body.answers, []);
  });

  it("requires an access token for its own project; an unknown project is not found", async () => {
    const [site, other] = [await newLiveSite(), await newLiveSite()];
    assert.equal((await ask(site, { token: "ann" }, site.token)).status, 200);
    assert.equal((await ask(site, { token: "ann" }, other.token)).status, 404);
    assert.equal((await ask({ id: "0123456789abcdef01234567" }, { token: "ann" })).status, 404);
    assert.equal((await ask(site, {})).status, 400);
  });
});
