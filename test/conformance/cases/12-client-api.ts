import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Json,
  assertProblem,
  assertStatus,
  getLink,
  toList,
  toText,
  toPlain,
} from "../client.ts";
import { behaviour, section } from "../behaviour.ts";
import { dataProcessor, toBanner, toContract, toProcessing, vendor } from "../documents.ts";
import { create, createCompleteProject, publishDone } from "../site.ts";
import { once, openOwner, removeAtEnd, runId, visitor } from "../target.ts";

const statuses = new Set([
  "accepted",
  "refused",
  "withdrawn",
  "expired",
  "superseded",
  "never-asked",
]);

/** A published project with three tokens: one accepts, one refuses, one accepts and withdraws. */
const openTokens = once(async () => {
  const projectId = toText((await createCompleteProject())["_id"]);
  const form = toText((await create("processings", toProcessing(projectId)))["_id"]);
  const contract = toText((await create("contracts", toContract(projectId)))["_id"]);
  const banner = toText((await create("cookies", toBanner(projectId)))["_id"]);
  await publishDone(projectId);
  const answer = async (token: string, path: string, body: object) => {
    const address = `/v1/app/consents/${projectId}/${path}`;
    return assertStatus(await visitor.post(address, { token, ...body }), 201).json;
  };
  const tokens = {
    accepting: `visitor-${runId}-accepting`,
    refusing: `visitor-${runId}-refusing`,
    withdrawing: `visitor-${runId}-withdrawing`,
  };
  await answer(tokens.accepting, `processings/${form}`, { accept: true });
  await answer(tokens.refusing, `processings/${form}`, { accept: false });
  const given = await answer(tokens.withdrawing, `processings/${form}`, { accept: true });
  await sleep(20);
  await answer(tokens.withdrawing, `processings/${form}`, { accept: false });
  const preferences = { vendors: { [vendor.name]: true } };
  await answer(tokens.accepting, `cookies/${banner}`, { accept: true, preferences });
  const acceptedAt = toText(given["createdAt"]);
  return { projectId, form, contract, banner, tokens, acceptedAt, path: `/v1/client/${projectId}` };
});

function getState(json: Json, identifier: string): Json | undefined {
  return toList(json["state"]).find((entry) => toPlain(entry["identifier"]) === identifier);
}

section("Client API", { isConcurrent: true }, () => {
  behaviour(
    "lists the caller's projects in the shape of the specification",
    "interface: Client API",
    async () => {
      const { client } = await openOwner();
      const { projectId } = await openTokens();
      const { json } = assertStatus(await client.get("/v1/client/?perPage=1000"), 200);
      assert.ok(Array.isArray(json), "a bare array");
      const project = toList(json).find((one) => getLink(one, "self").includes(projectId));
      assert.ok(project, "the project is in the list");
      assert.equal(project["active"], true);
      assert.equal(project["website"], "https://conformance.example.com");
      assert.equal(typeof project["name"], "string");
      assert.equal(typeof project["configuration"], "object");
      assert.deepEqual(project["dataProcessor"], dataProcessor);
      assert.ok(Array.isArray(project["documents"]), "documents");
      assert.ok(Array.isArray(project["processingActivities"]), "processingActivities");
      for (const name of ["self", "tokens", "consents", "accepted", "configuration", "publish"])
        assert.ok(getLink(project, name), name);
    },
  );

  behaviour("describes processing activities and documents", "interface: Client API", async () => {
    const { client } = await openOwner();
    const { path, form } = await openTokens();
    const { json } = assertStatus(await client.get(path), 200);
    const activity = toList(json["processingActivities"]).find(
      ({ identifier }) => toPlain(identifier) === form,
    );
    assert.ok(activity, "the activity of the processing");
    assert.equal(activity["name"], "Newsletter");
    assert.equal(activity["language"], "en");
    assert.deepEqual(activity["personalDataTypes"], ["e-mail address"]);
    assert.ok(toList(activity["dataTransferThirdParties"]).length > 0);
    assert.equal(typeof activity["consentWithdrawProcedure"], "string");
    assert.equal(activity["accept"], "I agree to receive the newsletter by e-mail.");
  });

  behaviour("creates and changes projects", "wire 5", async () => {
    const { client } = await openOwner();
    const name = `Conformance ${runId} client`;
    const website = "https://client.example.com";
    const created = assertStatus(await client.post("/v1/client/", { name, website }), 201).json;
    const path = new URL(getLink(created, "self")).pathname;
    const id = path.split("/").findLast((part) => part !== "") ?? "";
    removeAtEnd(() => client.delete(`/v1/vault/projects/${id}`, { query: { confirm: id } }));
    assert.equal(created["name"], name);
    assert.equal(created["website"], website);
    assert.equal(created["active"], false);
    const documents = [
      {
        identifier: "terms",
        name: "Terms",
        language: "en",
        file: { originalName: "terms.pdf", uploadedAt: "2026-01-02T03:04:05.000Z", size: 1 },
      },
    ];
    const patched = assertStatus(await client.patch(path, { dataProcessor, documents }), 200).json;
    assert.deepEqual(patched["dataProcessor"], dataProcessor);
    assert.equal(toList(patched["documents"])[0]?.["identifier"], "terms");
    const replaced = await client.put(path, { name: "Replaced", website });
    assert.equal(assertStatus(replaced, 200).json["name"], "Replaced");
    assertProblem(await client.post("/v1/client/", {}), 400);
  });

  behaviour("creates consent forms", "wire 5", async () => {
    const { client } = await openOwner();
    const projectId = toText((await createCompleteProject())["_id"]);
    const { projectId: _, ...fields } = toProcessing(projectId) as Record<string, unknown>;
    const path = `/v1/client/${projectId}/forms`;
    const bodies = [
      { collection: "processings", ...fields },
      { collection: "contracts", file: "https://a.example/terms.pdf", title: "Terms" },
      { collection: "cookies", title: "Cookies", steps: [] },
    ];
    for (const body of bodies) assertStatus(await client.post(path, body), 201);
    const query = { projectId };
    for (const { collection } of bodies) {
      const answer = await client.get(`/v1/vault/${collection}`, { query });
      assert.equal(toList(assertStatus(answer, 200).json).length, 1, collection);
    }
  });

  behaviour("lists tokens by cursor", "interface: Client API; wire 5", async () => {
    const { client } = await openOwner();
    const { path, tokens } = await openTokens();
    const found: Json[] = [];
    let address: string | undefined = `${path}/tokens?limit=2`;
    while (address !== undefined) {
      const { json } = assertStatus(await client.get(address), 200);
      assert.ok(toList(json["items"]).length <= 2);
      found.push(...toList(json["items"]));
      assert.equal(typeof json["links"]?.["self"], "string");
      const next: unknown = json["links"]?.["next"];
      address = typeof next === "string" ? next : undefined;
    }
    const expected = Object.values(tokens).toSorted();
    assert.deepEqual(found.map(({ token }) => toPlain(token)).toSorted(), expected);
    for (const entry of found) {
      assert.match(toText(entry["firstSeenAt"]), /Z$/);
      assert.match(toText(entry["lastSeenAt"]), /Z$/);
      assert.ok(Number(entry["consents"]) >= 1);
      assert.equal(typeof entry["links"], "object");
    }
  });

  behaviour("finds tokens by prefix, and streams them", "wire 0, 5", async () => {
    const { client } = await openOwner();
    const { path, tokens } = await openTokens();
    const query = { q: `visitor-${runId}-acc` };
    const { json } = assertStatus(await client.get(`${path}/tokens`, { query }), 200);
    assert.deepEqual(
      toList(json["items"]).map(({ token }) => token),
      [tokens.accepting],
    );
    for (const accept of ["application/x-ndjson", "text/csv"]) {
      const answer = await client.get(`${path}/tokens?limit=1`, { headers: { accept } });
      for (const token of Object.values(tokens))
        assert.ok(assertStatus(answer, 200).text.includes(token), `${accept}: ${token}`);
    }
  });

  behaviour("answers state and history of a token", "interface: Client API; wire 5", async () => {
    const { client } = await openOwner();
    const { path, tokens, form, contract, banner } = await openTokens();
    const answer = await client.get(`${path}/consents/${tokens.accepting}`);
    const { json } = assertStatus(answer, 200);
    assert.equal(json["token"], tokens.accepting);
    for (const entry of toList(json["state"])) {
      assert.ok(statuses.has(toPlain(entry["status"])), toPlain(entry["status"]));
      for (const name of ["collection", "identifier", "name"])
        assert.equal(typeof entry[name], "string", name);
      assert.equal(typeof entry["accept"], "boolean");
      assert.equal(typeof entry["links"], "object");
    }
    assert.equal(getState(json, form)?.["status"], "accepted");
    assert.match(toText(getState(json, form)?.["since"]), /Z$/);
    assert.equal(getState(json, contract)?.["status"], "never-asked");
    const vendorState = toList(json["state"]).find((entry) =>
      toPlain(entry["identifier"]).endsWith(`/${vendor.name}`),
    );
    assert.equal(vendorState?.["status"], "accepted", `the state of ${banner}/${vendor.name}`);
    assert.equal(toList(json["history"]).length, 2);
    for (const name of ["self", "project", "proofs"]) assert.ok(getLink(json, name), name);
  });

  behaviour("names refusals and withdrawals", "wire 5", async () => {
    const { client } = await openOwner();
    const { path, tokens, form } = await openTokens();
    const read = async (token: string) =>
      assertStatus(await client.get(`${path}/consents/${token}`), 200).json;
    assert.equal(getState(await read(tokens.refusing), form)?.["status"], "refused");
    assert.equal(getState(await read(tokens.withdrawing), form)?.["status"], "withdrawn");
  });

  behaviour("pages the history by cursor", "wire 5", async () => {
    const { client } = await openOwner();
    const { path, tokens } = await openTokens();
    const query = { limit: "1" };
    const first = await client.get(`${path}/consents/${tokens.withdrawing}`, { query });
    const [newest] = toList(assertStatus(first, 200).json["history"]);
    assert.equal(newest?.["accept"], false);
    const second = assertStatus(await client.get(getLink(first.json, "next")), 200);
    assert.equal(toList(second.json["history"])[0]?.["accept"], true);
  });

  behaviour("answers as of an instant and as of a date", "wire 5, 9: Dates", async () => {
    const { client } = await openOwner();
    const { path, tokens, form, acceptedAt } = await openTokens();
    const readAt = async (at: string) => {
      const query = { at };
      const answer = await client.get(`${path}/consents/${tokens.withdrawing}`, { query });
      return getState(assertStatus(answer, 200).json, form)?.["status"];
    };
    assert.equal(await readAt(acceptedAt), "accepted");
    const day = acceptedAt.slice(0, 10);
    for (const start of [day, `${day} 00:00:00+00:00`, `${day} 01:00:00+01:00`])
      assert.equal(await readAt(start), "never-asked", `${start}: the first instant of the day`);
  });

  behaviour("answers an unknown token with everything never-asked", "wire 5", async () => {
    const { client } = await openOwner();
    const { path, form } = await openTokens();
    const { json } = assertStatus(await client.get(`${path}/consents/visitor-unknown`), 200);
    assert.deepEqual(json["history"], []);
    assert.equal(getState(json, form)?.["status"], "never-asked");
    for (const { status } of toList(json["state"])) assert.equal(status, "never-asked");
  });

  behaviour(
    "lists the tokens that accepted a consent",
    "interface: Client API; wire 5",
    async () => {
      const { client } = await openOwner();
      const { path, tokens, form, banner, acceptedAt } = await openTokens();
      const list = async (identifier: string, query: Record<string, string> = {}) => {
        const answer = await client.get(`${path}/tokens/accepted/${identifier}`, { query });
        return toList(assertStatus(answer, 200).json);
      };
      const accepted = await list(form);
      assert.deepEqual(
        accepted.map(({ token }) => token),
        [tokens.accepting],
      );
      assert.match(toText(accepted[0]?.["since"]), /Z$/);
      assert.equal(typeof accepted[0]?.["consentId"], "string");
      const vendors = await list(`${banner}/${vendor.name}`);
      assert.deepEqual(
        vendors.map(({ token }) => token),
        [tokens.accepting],
      );
      const then = await list(form, { at: acceptedAt });
      assert.ok(then.some(({ token }) => toPlain(token) === tokens.withdrawing));
      assert.deepEqual(await list(form, { at: acceptedAt.slice(0, 10) }), []);
    },
  );

  behaviour(
    "lets a client reach everything by links",
    "interface: Client API; wire 0",
    async () => {
      const { client } = await openOwner();
      const { projectId, tokens, form } = await openTokens();
      const { json } = assertStatus(await client.get("/v1/client/?perPage=1000"), 200);
      const project = toList(json).find((one) => getLink(one, "self").includes(projectId));
      const details = assertStatus(await client.get(getLink(project, "self")), 200).json;
      const list = assertStatus(await client.get(getLink(details, "tokens")), 200).json;
      const entry = toList(list).find(({ token }) => toPlain(token) === tokens.accepting);
      const addresses = Object.keys(entry?.["links"] ?? {}).map((name) => getLink(entry, name));
      const answers = await Promise.all(addresses.map((address) => client.get(address)));
      const states = answers.find((answer) => Array.isArray(answer.json["state"]));
      assert.ok(states, "a link of the token leads to its state");
      assert.equal(getState(states.json, form)?.["status"], "accepted");
    },
  );

  behaviour("answers 404 for an unknown project", "wire 0", async () => {
    const { client } = await openOwner();
    for (const path of ["", "/tokens", "/consents/a", "/tokens/accepted/a"])
      assertProblem(await client.get(`/v1/client/${"0".repeat(24)}${path}`), 404);
  });
});
