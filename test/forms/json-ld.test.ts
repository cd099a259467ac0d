import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { describe, it } from "node:test";
import { TERMS } from "../../packages/server/modules/evidence/reports/json-ld/context.ts";
import { toJsonLd } from "../../packages/server/modules/evidence/reports/json-ld/json-ld.ts";
import type { ProofBundleOut } from "../../packages/server/modules/evidence/log/schema.ts";
import { newBundle, officer, processing } from "./bundles.ts";
import { type Expanded, expand, toQuads } from "./expand.ts";
import { dpvTerms } from "./dpv-terms.ts";

const DPV = "https://w3id.org/dpv#";
const DCT = "http://purl.org/dc/terms/";
const LABEL = "http://www.w3.org/2004/02/skos/core#prefLabel";

/**
 * The fields marked M (mandatory) in the specification (spec/law.md, "Fields"), by name, with the path from
 * the record to the field.
 */
const mandatory: Record<string, string[]> = {
  "header: schema version": [`${DCT}conformsTo`],
  "header: record id": [`${DPV}hasIdentifier`],
  "header: principal id": [`${DPV}hasDataSubject`, `${DPV}hasIdentifier`],
  "event: type": [`${DPV}hasProcess`, `${DPV}hasLegalBasis`],
  "event: state": [`${DPV}hasProcess`, `${DPV}hasConsentStatus`],
  "event: event time": [`${DPV}hasProcess`, `${DPV}hasConsentStatus`, `${DPV}isIndicatedAtTime`],
  "event: event time, the visitor's clock": [`${TERMS}visitorClock`],
  "event: event time, the service's clock": [`${TERMS}serviceClock`],
  "event: event time, their skew": [`${TERMS}skewMilliseconds`],
  "event: validity": [`${DPV}hasProcess`, `${DPV}hasConsentStatus`, `${DPV}hasDuration`],
  "event: who expressed it": [`${DPV}hasProcess`, `${DPV}hasConsentStatus`, `${DPV}isIndicatedBy`],
  "shown: notice": [`${DPV}hasNotice`],
  "shown: language": [`${DCT}language`],
  "chosen: each purpose": [`${DPV}hasProcess`, `${DPV}hasPurpose`],
  "chosen: each recipient": [`${DPV}hasProcess`, `${DPV}hasRecipient`],
  "processing: controllers": [`${DPV}hasDataController`],
  "processing: controllers, name": [`${DPV}hasDataController`, `${DPV}hasName`],
  "processing: controllers, address": [`${DPV}hasDataController`, `${DPV}hasAddress`],
  "processing: controllers, contact": [`${DPV}hasDataController`, `${DPV}hasContact`],
  "processing: controllers, type": [`${DPV}hasDataController`, "@type"],
  "processing: personal data types": [`${DPV}hasProcess`, `${DPV}hasPersonalData`],
  "processing: storage location": [
    `${DPV}hasProcess`,
    `${DPV}hasStorageCondition`,
    `${DPV}hasLocation`,
  ],
  "processing: retention": [`${DPV}hasProcess`, `${DPV}hasStorageCondition`, `${DPV}hasDuration`],
  "processing: jurisdiction": [`${DPV}hasProcess`, `${DPV}hasJurisdiction`],
};

const processingRecord = {
  collection: "processings",
  language: "en",
  answers: { "": { answer: "accepted", days: null, name: "Newsletter", substance: "x" } },
};

const bundles: Record<string, () => ProofBundleOut> = {
  "a banner": () => newBundle(),
  "a processing": () =>
    newBundle({ record: processingRecord, content: { cookies: [], processings: [processing] } }),
  "an operator that published no details": () => newBundle({ content: { client: {} } }),
  "an imported record": () => newBundle({ record: { grade: "imported" } }),
  "nothing published": () =>
    newBundle({ content: null, record: { timestamp: null, language: null } }),
};

const parse = (bundle: ProofBundleOut, states = {}) =>
  JSON.parse(toJsonLd(bundle, states).toString());

/** The values at a path: all of them, at every step. */
function follow(nodes: readonly Expanded[], path: readonly string[]): Expanded[] {
  return path.reduce<Expanded[]>(
    (at, step) => at.flatMap((node) => [node[step] ?? []].flat() as Expanded[]),
    [...nodes],
  );
}

const isNotStated = (node: Expanded) =>
  follow([node], [`${DPV}hasApplicability`, "@id"]).includes(`${DPV}NotAvailable` as never) &&
  follow([node], [LABEL, "@value"]).includes("not stated" as never);

describe("a proof as JSON-LD", () => {
  it("takes the time of an imported record from its file, not from the service's clock", () => {
    const [own, imported] = [{}, { grade: "imported" }].map((record) =>
      parse(newBundle({ record })),
    );
    assert.equal(own["avow:serviceClock"], "2026-11-20T10:11:12.345Z");
    assert.equal(imported["avow:serviceClock"]["dpv:hasApplicability"], "dpv:NotAvailable");
    assert.equal(imported["avow:importedFileClock"], "2026-11-20T10:11:12.345Z");
    assert.equal(imported["avow:skewMilliseconds"]["dpv:hasApplicability"], "dpv:NotAvailable");
    for (const { "dpv:hasConsentStatus": status } of imported["dpv:hasProcess"])
      if ("avow:importedFileClock" in status)
        assert.equal(status["avow:serviceClock"]["dpv:hasApplicability"], "dpv:NotAvailable");
  });

  for (const [title, make] of Object.entries(bundles)) {
    it(`has every mandatory field of ISO/IEC TS 27560: ${title}`, async () => {
      const nodes = await expand(parse(make()));
      assert.equal(nodes.length, 1);
      for (const [name, path] of Object.entries(mandatory)) {
        const found = follow(nodes, path);
        assert.ok(found.length > 0, `${name}: nothing at ${path.join(" → ")}`);
        assert.ok(
          found.every((value) => typeof value === "string" || Object.keys(value).length > 0),
          `${name} is empty`,
        );
      }
      // The paths above find a field in any process; each process must have it.
      const processes = follow(nodes, [`${DPV}hasProcess`]);
      for (const [name, [first, ...rest]] of Object.entries(mandatory)) {
        if (first !== `${DPV}hasProcess` || rest.includes(`${DPV}hasConsentStatus`)) continue;
        for (const process of processes) assert.ok(follow([process], rest).length > 0, name);
      }
    });

    it(`expands without dropped terms, and uses only terms of DPV: ${title}`, async () => {
      const document = parse(make());
      const quads = await toQuads(document);
      assert.ok(quads.length > 40, `${quads.length} triples`);
      for (const { predicate, object } of quads)
        for (const iri of [predicate, object])
          if (iri.startsWith(DPV)) assert.ok(dpvTerms.has(iri.slice(DPV.length)), iri);
      assert.deepEqual(
        namesIn(document).filter((name) => !name.includes(":")),
        [],
      );
    });
  }

  it("states what the record and the published version state", async () => {
    const displayedAt = "2026-11-20T10:10:00.000Z";
    const bundle = newBundle({ record: { grade: "ticketed", displayedAt } });
    const [record] = await expand(parse(bundle));
    assert.ok(record);
    const { consentId, token } = bundle.consent.record;
    assert.equal(record["@id"], `urn:uuid:${consentId}`);
    assert.deepEqual(record["@type"], [`${DPV}ConsentRecord`]);
    const valuesAt = (...path: string[]) => follow([record], [...path, "@value"]);
    assert.deepEqual(valuesAt(`${DPV}hasDataSubject`, `${DPV}hasIdentifier`), [token]);
    assert.deepEqual(valuesAt(`${TERMS}skewMilliseconds`), [-345]);
    assert.deepEqual(valuesAt(`${TERMS}evidenceGrade`), ["ticketed"]);
    assert.deepEqual(valuesAt(`${TERMS}displayedAt`), [displayedAt]);
    assert.deepEqual(valuesAt(`${DPV}hasDataController`, `${DPV}hasName`), [officer.organization]);
    assert.deepEqual(valuesAt(`${DPV}hasDataController`, `${DPV}hasAddress`), [officer.address]);
    assert.deepEqual(valuesAt(`${DPV}hasNotice`, `${TERMS}sha256`), [
      hash("sha256", bundle.publication?.content ?? ""),
    ]);
    assert.deepEqual(valuesAt(`${TERMS}hasCommitment`, `${TERMS}logIndex`), [99]);
    assert.deepEqual(valuesAt(`${TERMS}hasCommitment`, `${TERMS}treeSize`), [100]);
    assert.deepEqual(
      valuesAt(`${TERMS}hasCommitment`, "http://www.w3.org/1999/02/22-rdf-syntax-ns#value"),
      [bundle.consent.proof],
    );
    const shown = follow([record], [`${DPV}hasNotice`, `${TERMS}shown`, "@list"]);
    const words = follow(shown, ["http://www.w3.org/1999/02/22-rdf-syntax-ns#value"]);
    assert.deepEqual(words[0], { "@value": "Vos choix en matière de cookies", "@language": "fr" });
    assert.ok(words.some((word) => String(word["@value"]).includes("• Refuser ne change rien")));
  });

  it("distinguishes answers: given, refused, withdrawn, not answered, never asked", () => {
    const of = (states: object) =>
      Object.fromEntries(
        parse(newBundle(), states)["dpv:hasProcess"].map(
          (each: {
            "dpv:hasIdentifier": string;
            "dpv:hasConsentStatus": { "@type": string[] };
          }) => [each["dpv:hasIdentifier"], [each["dpv:hasConsentStatus"]["@type"]].flat()[0]],
        ),
      );
    const states = of({});
    assert.equal(states["matomo"], "dpv:ConsentGiven");
    assert.equal(states["carte"], "dpv:ConsentRefused");
    assert.equal(states["video"], "dpv:ConsentRequested");
    assert.equal(states["session"], "dpv:ConsentStatus");
    assert.equal(of({ carte: { answer: "withdrawn" } })["carte"], "dpv:ConsentWithdrawn");
  });

  it("states the validity of an answer, and its end", async () => {
    const nodes = await expand(parse(newBundle()));
    const ends = follow(nodes, [
      ...(mandatory["event: validity"] ?? []),
      `${TERMS}validUntil`,
      "@value",
    ]);
    assert.ok(ends.includes("2027-05-19T10:11:12.345Z" as never), JSON.stringify(ends));
    const endless = await expand(
      parse(newBundle({ record: processingRecord, content: { processings: [processing] } })),
    );
    const [type] = follow(endless, [...(mandatory["event: validity"] ?? []), "@type"]);
    assert.equal(type, `${DPV}EndlessDuration`);
  });

  it("states only what was published", async () => {
    const nodes = await expand(parse(newBundle({ content: { client: {} } })));
    for (const name of [
      "processing: controllers, name",
      "processing: controllers, address",
      "processing: controllers, contact",
      "processing: personal data types",
      "processing: storage location",
      "processing: retention",
      "processing: jurisdiction",
    ]) {
      const found = follow(nodes, mandatory[name] ?? []);
      assert.ok(found.every(isNotStated), `${name}: ${JSON.stringify(found)}`);
    }
    const stated = await expand(
      parse(newBundle({ record: processingRecord, content: { processings: [processing] } })),
    );
    const [retention] = follow(stated, mandatory["processing: retention"] ?? []);
    assert.deepEqual(follow([retention ?? {}], [`${TERMS}duration`]), [
      { "@type": "http://www.w3.org/2001/XMLSchema#duration", "@value": "P12M" },
    ]);
    const types = follow(stated, [
      ...(mandatory["processing: personal data types"] ?? []),
      LABEL,
      "@value",
    ]);
    assert.deepEqual(types, ["email", "first name"]);
  });
});

/** The names of all members and the prefixed values of types, without those of the context. */
function namesIn(document: object): string[] {
  const names: string[] = [];
  JSON.stringify({ ...document, "@context": undefined }, (key, value: unknown) => {
    if (key !== "" && !/^\d+$/.test(key) && !key.startsWith("@")) names.push(key);
    if (key === "@type") names.push(...[value].flat().map(String));
    return value;
  });
  return names;
}
