import assert from "node:assert/strict";
import { it } from "node:test";
import { Script } from "node:vm";
import {
  readWebViewMessage,
  toWebViewScript,
} from "../../packages/react-native/webview/protocol.ts";

const origins = ["https://shop.example"];
const members = { $$token: "a", $$date: new Date().toISOString(), $$completed: true, one: true };
const toText = (value: object) => encodeURIComponent(JSON.stringify(value));
const toData = (answers: unknown) => JSON.stringify({ avow: "key-1", answers });

function read(data: string, url = "https://shop.example/cart?id=1") {
  return readWebViewMessage({ data, url }, { origins, key: "key-1" });
}

it("reads valid answers of a named origin", () => {
  assert.equal(read(toData(toText(members)))?.text, toText(members));
  assert.ok(read(toData(toText(members)), "https://shop.example"));
});

it("rejects answers of other origins", () => {
  for (const url of [
    "http://shop.example/",
    "https://shop.example.evil.example/",
    "https://shop.example@evil.example/",
    "https://evil.example/https://shop.example/",
    "https://shop.example:8443/",
    "https://shop.example\\@evil.example/",
    "data:text/html,https://shop.example/",
    "about:blank",
    "",
  ])
    assert.equal(read(toData(toText(members)), url), undefined, url);
});

it("rejects invalid answers", () => {
  const future = new Date(Date.now() + 3_600_000).toISOString();
  for (const data of [
    "",
    "null",
    "5",
    "{}",
    JSON.stringify({ avow: "key-2", answers: toText(members) }),
    JSON.stringify({ answers: toText(members) }),
    toData(5),
    toData("%7B"),
    toData("null"),
    toData(toText({ ...members, one: "yes" })),
    toData(toText({ ...members, $$date: "soon" })),
    toData(toText({ ...members, $$date: future })),
    toData(toText({ ...members, $$completed: false })),
    toData(`${toText(members)};domain=evil.example`),
    toData(JSON.stringify(members)),
    toData(toText({ ...members, $$tcString: "x".repeat(9_000) })),
  ])
    assert.equal(read(data), undefined, data.slice(0, 200));
});

it("writes a script that no answer or origin can leave", () => {
  const hostile = `%7B%7D";alert(1);//`;
  assert.ok(!toWebViewScript(hostile, { origins, key: "key-1" }).includes("alert(1)"));
  const script = toWebViewScript(undefined, {
    origins: ["</script><script>alert(1)\u2028"],
    key: "key-1",
  });
  assert.ok(!script.includes("</script>") && !script.includes("\u2028"));
  assert.doesNotThrow(() => new Script(script));
});
