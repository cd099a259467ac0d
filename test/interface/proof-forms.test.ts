import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { parseVerifierKey } from "../../packages/verifier/formats/verifier-key.ts";
import { verifyBundle } from "../../packages/verifier/verify.ts";
import { readPdf } from "../forms/read-pdf.ts";
import { sql } from "kysely";
import { service } from "../harness.ts";
import { getAuditPackage } from "./audit-packages.ts";
import { waitForProof } from "./proofs.ts";
import { type Site, collect, newSite, publish } from "./site.ts";

async function collected(site: Site, json: object = {}): Promise<string> {
  const sent = { token: "visitor", accept: true, ...json };
  const { body, status } = await collect(site, "cookies", site.cookies, sent);
  assert.equal(status, 201, JSON.stringify(body));
  await waitForProof(body.consentId, "visitor");
  return body.consentId;
}

/** The bytes and the headers of a form of a proof. */
async function read(
  consentId: string,
  { query = {}, accept }: { query?: Record<string, string>; accept?: string } = {},
) {
  const at = hrefOf(service.url, paths.proof, { consentId }, { token: "visitor", ...query });
  const answer = await fetch(at, accept === undefined ? {} : { headers: { accept } });
  const { status, headers } = answer;
  return { status, headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

const typeOf = ({ headers }: { headers: Headers }) => headers.get("content-type");

describe("the forms of a proof", () => {
  it("are selected by Accept, or by ?format=, which takes precedence", async () => {
    const site = await newSite();
    await publish(site);
    const id = await collected(site);
    assert.equal(typeOf(await read(id)), "application/json; charset=utf-8");
    assert.equal(typeOf(await read(id, { accept: "*/*" })), "application/json; charset=utf-8");
    assert.equal(
      typeOf(await read(id, { accept: "text/html" })),
      "application/json; charset=utf-8",
    );
    assert.equal(typeOf(await read(id, { accept: "application/pdf" })), "application/pdf");
    const browser = "text/html, application/ld+json;q=0.5, application/pdf;q=0.4";
    assert.equal(typeOf(await read(id, { accept: browser })), "application/ld+json");
    const query = { format: "pdf" };
    const asked = await read(id, { query, accept: "application/json" });
    assert.equal(typeOf(asked), "application/pdf");
    assert.equal((await read(id, { query: { format: "docx" } })).status, 400);
    assert.equal((await read(id, { query: { format: "pdf", language: "xx" } })).status, 400);
  });

  it("have a file name, name each other, and vary by Accept", async () => {
    const site = await newSite();
    await publish(site);
    const id = await collected(site);
    for (const format of ["json", "pdf", "jsonld"]) {
      const { headers } = await read(id, { query: { format } });
      assert.match(
        headers.get("content-disposition") ?? "",
        new RegExp(`"proof-${id}\\.${format}"$`),
      );
      assert.match(headers.get("vary") ?? "", /(^|, )Accept($|,)/);
      assert.equal(headers.get("cache-control"), "private, no-store");
      const links = [
        ...(headers.get("link") ?? "").matchAll(/<([^>]+)>; rel="alternate"; type="([^"]+)"/g),
      ];
      assert.equal(links.length, 2);
      for (const [, href = "", type] of links) {
        const answer = await fetch(href);
        assert.equal(answer.status, 200);
        assert.ok(answer.headers.get("content-type")?.startsWith(type ?? "?"));
      }
    }
  });

  it("are for readers of the proof only", async () => {
    const site = await newSite();
    const consentId = await collected(site);
    for (const format of ["pdf", "jsonld"]) {
      const at = (query = {}) => hrefOf("", paths.proof, { consentId }, { format, ...query });
      assert.equal((await service.fetch(at())).status, 404);
      assert.equal((await service.fetch(at({ token: "somebody-else" }))).status, 404);
      assert.equal((await service.fetch(at(), { token: site.token })).status, 200);
    }
  });

  it("attach the JSON response to the PDF, byte for byte, and it verifies", async () => {
    const site = await newSite();
    await publish(site);
    const id = await collected(site);
    // Another consent between two responses changes the tree.
    const pdf = await readPdf((await read(id, { accept: "application/pdf" })).bytes);
    const [attached] = pdf.attachments;
    assert.equal(attached?.filename, `proof-${id}.json`);
    const text = Buffer.from(attached.content).toString();
    const bundle = JSON.parse(text);
    const answered = (await read(id)).bytes.toString();
    if (JSON.parse(answered).consent.proof === bundle.consent.proof) assert.equal(text, answered);
    assert.equal(text, JSON.stringify(bundle));
    assert.deepEqual(Object.keys(bundle), Object.keys(JSON.parse(answered)));
    const trustedKeys = await Promise.all(bundle.keys.map(parseVerifierKey));
    const { verdict, checks } = await verifyBundle(text, { trustedKeys });
    assert.equal(verdict, "proven", JSON.stringify(checks));
  });

  it("state in words that they prove nothing for a record that was changed in the database", async () => {
    const site = await newSite();
    const id = await collected(site);
    const pdf = async () => {
      const { bytes } = await read(id, { query: { format: "pdf", language: "en" } });
      return (await readPdf(bytes)).text.replaceAll(/\s+/g, " ");
    };
    assert.match(await pdf(), /^Proof of consent On /);
    await sql`UPDATE consents SET url = 'https://other.example/' WHERE id = ${id}::uuid`.execute(
      service.data,
    );
    const changed = await pdf();
    assert.match(changed, /^Record that the log does not prove This is not a proof\. /);
    assert.doesNotMatch(changed, /Proof of consent/);
    const { files } = await getAuditPackage(site.id, { token: "visitor" }, site);
    assert.match(
      files.get("index.html") ?? "",
      /Not proven: changed after it was added to the log/,
    );
  });

  it("distinguish a withdrawal from a refusal, which no record does", async () => {
    const site = await newSite();
    await publish(site);
    const vendorsOf = (matomo: boolean) => ({ preferences: { vendors: { matomo, chat: false } } });
    const first = await collected(site, vendorsOf(true));
    const second = await collected(site, vendorsOf(false));
    const statesOf = async (id: string) => {
      const record = JSON.parse((await read(id, { query: { format: "jsonld" } })).bytes.toString());
      return Object.fromEntries(
        record["dpv:hasProcess"].map(
          (process: {
            "dpv:hasIdentifier": string;
            "dpv:hasConsentStatus": { "@type": string[] };
          }) => [process["dpv:hasIdentifier"], process["dpv:hasConsentStatus"]["@type"][0]],
        ),
      );
    };
    assert.equal((await statesOf(first))["matomo"], "dpv:ConsentGiven");
    assert.equal((await statesOf(first))["chat"], "dpv:ConsentRefused");
    assert.equal((await statesOf(second))["matomo"], "dpv:ConsentWithdrawn");
    assert.equal((await statesOf(second))["chat"], "dpv:ConsentRefused");
  });

  it("are in the requested language, or the record's", async () => {
    const site = await newSite();
    const id = await collected(site, { language: "fr-CA" });
    const textOf = async (query: Record<string, string>) =>
      (await readPdf((await read(id, { query: { format: "pdf", ...query } })).bytes)).text;
    assert.match(await textOf({}), /Preuve de consentement/);
    assert.match(await textOf({ language: "en" }), /Proof of consent/);
  });
});
