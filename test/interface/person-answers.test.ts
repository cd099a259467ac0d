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
  it("tells what a token answers by now, to who knows it, and is kept by nobody", async () => {
    const site = await newLiveSite();
    const accept = { accept: true, token: "ann" };
    assert.equal((await collect(site, "processings", site.processing, accept)).status, 201);
    const { status, body, headers } = await ask(site, { token: "ann" });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(headers.get("cache-control"), "no-store");
    const [{ since, ...answer }, ...others] = body.answers;
    assert.deepEqual(others, [], "what was never answered is left out");
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
    assert.ok(now.since > since, "since when it is so");
  });

  it("knows a token of the project alone, and says nothing of one that it does not know", async () => {
    const [site, other] = [await newLiveSite(), await newLiveSite()];
    await collect(site, "processings", site.processing, { accept: true, token: "ann" });
    assert.deepEqual((await ask(other, { token: "ann" })).body.answers, []);
    assert.deepEqual((await ask(site, { token: "bob" })).body.answers, []);
  });

  it("is a project's own, for who has an access token; no project at all is not found", async () => {
    const [site, other] = [await newLiveSite(), await newLiveSite()];
    assert.equal((await ask(site, { token: "ann" }, site.token)).status, 200);
    assert.equal((await ask(site, { token: "ann" }, other.token)).status, 404);
    assert.equal((await ask({ id: "0123456789abcdef01234567" }, { token: "ann" })).status, 404);
    assert.equal((await ask(site, {})).status, 400);
  });
});
