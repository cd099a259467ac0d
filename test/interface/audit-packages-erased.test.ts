import assert from "node:assert/strict";
import { it } from "node:test";
import { getAuditPackage } from "./audit-packages.ts";
import { erase } from "./erasures.ts";
import { collect, newSite } from "./site.ts";

it("an audit package lists erasures of its project, and contains nothing erased", async () => {
  const site = await newSite();
  const give = async (token: string) =>
    (await collect(site, "cookies", site.cookies, { token, accept: true })).body.consentId;
  const kept = await give("kept");
  await give("gone");
  await give("gone");
  const read = async (query: Record<string, string> = {}) => {
    const { ids, files } = await getAuditPackage(site.id, { token: "kept", ...query }, site);
    return { ids, texts: [files.get("index.html") ?? "", files.get("README.txt") ?? ""] };
  };
  const before = await read();
  assert.deepEqual(before.ids, [kept]);
  for (const text of before.texts) assert.doesNotMatch(text, /Erased from the project/);
  assert.equal((await erase(site, "gone")).status, 200);
  const after = await read();
  assert.deepEqual(after.ids, [kept]);
  for (const text of after.texts) {
    assert.match(text, /Erased from the project so far/);
    assert.match(
      text.replaceAll(/\s+/g, " "),
      /2 records in 1 erasures?, each recorded in the log/,
    );
    assert.doesNotMatch(text, /\bgone\b/);
  }
  const [french = ""] = (await read({ language: "fr" })).texts;
  assert.match(french, /2 enregistrements lors de 1 effacements/);
});
