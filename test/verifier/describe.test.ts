import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeRecord } from "../../packages/verifier/describe.ts";
import type { JsonObject } from "../../packages/verifier/formats/json.ts";
import { en } from "../../packages/verifier/words/en.ts";
import { fr } from "../../packages/verifier/words/fr.ts";

const record: JsonObject = {
  type: "consent",
  v: 1,
  accept: true,
  timestamp: "2026-11-20T10:11:10.000Z",
  createdAt: "2026-11-20T10:11:12.500Z",
  displayedAt: "2026-11-20T10:10:00.000Z",
  grade: "ticketed",
  signals: { googleConsentMode: { ad_storage: "denied" }, gpc: true, tcString: null },
};
const descriptionOf = (changed: JsonObject, words: typeof en) =>
  Object.fromEntries(
    describeRecord({ ...record, ...changed }, words).map(({ label, value }) => [label, value]),
  );

describe("the description of a record for people", () => {
  it("has its assurance level, display, signals and the difference of the clocks, in English", () => {
    assert.deepEqual(descriptionOf({}, en), {
      Answer: "Accepted",
      "Time, by the visitor’s clock": "2026-11-20T10:11:10.000Z (2.5 s behind the service’s clock)",
      "Time, by the service’s clock": "2026-11-20T10:11:12.500Z",
      "Time of display, by its ticket": "2026-11-20T10:10:00.000Z",
      "Assurance level": "sent by a browser with a display ticket of this version",
      "Google consent mode": '{"ad_storage":"denied"}',
      "Global Privacy Control": "on: do not sell, share or track",
    });
  });

  it("takes the time of an imported record from its file, not from the service's clock", () => {
    const imported = { grade: "imported", displayedAt: null, signals: null };
    assert.deepEqual(descriptionOf(imported, en), {
      Answer: "Accepted",
      "Time, by the visitor’s clock": "2026-11-20T10:11:10.000Z",
      "Time, by the imported file": "2026-11-20T10:11:12.500Z",
      "Assurance level": "imported from a file, with its time and answers",
    });
    assert.equal(
      descriptionOf(imported, fr)["Heure, d’après le fichier importé"],
      record["createdAt"],
    );
  });

  it("names each answer, and labels that of the whole without an empty name", () => {
    const answers = {
      "": { answer: "accepted", name: "The kiln letter" },
      matomo: { answer: "refused", name: "Matomo" },
      chat: { answer: "refused" },
    };
    const labels = Object.keys(descriptionOf({ answers }, en)).filter((one) =>
      one.startsWith("Answer:"),
    );
    assert.deepEqual(labels, [
      "Answer: The kiln letter (as a whole)",
      "Answer: Matomo (matomo)",
      "Answer: chat",
    ]);
  });

  it("is complete in French", () => {
    const french = descriptionOf({}, fr);
    assert.equal(french["Heure d’affichage, d’après son ticket"], "2026-11-20T10:10:00.000Z");
    assert.match(french["Heure, à l’horloge du visiteur"] ?? "", /\(2,5 s de retard/);
    assert.match(french["Global Privacy Control"] ?? "", /^activé/);
  });

  it("omits missing signals, and prints unknown ones as they are", () => {
    assert.equal("Global Privacy Control" in descriptionOf({ signals: null }, en), false);
    assert.equal(
      descriptionOf({ signals: { gpc: false } }, en)["Global Privacy Control"],
      "not sent",
    );
    assert.equal(
      descriptionOf({ signals: { gpc: { odd: 1 } } }, en)["Global Privacy Control"],
      '{"odd":1}',
    );
    const rows = describeRecord({ ...record, signals: { dnt: "1" } }, en);
    assert.deepEqual(rows.at(-1), { label: "dnt", value: "1", isKnown: false });
    assert.match(
      descriptionOf({ timestamp: "never" }, en)["Time, by the visitor’s clock"] ?? "",
      /^never$/,
    );
  });
});
