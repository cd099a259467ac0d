import assert from "node:assert/strict";
import { test } from "node:test";
import { toAllowedUrl } from "./allowed-url.ts";
import { Fault } from "../platform/errors.ts";

const exact = "https://app.example/signed-in?tenant=7";
const plain = "https://plain.example/done";
const places = {
  publicUrl: "https://avow.example",
  redirectUrls: ["https://admin.example", exact, plain],
};
const isAllowed = (given: string): boolean => {
  try {
    toAllowedUrl(places, { path: "?redirectURI", given });
    return true;
  } catch (error) {
    assert.ok(error instanceof Fault && error.kind === "invalid");
    return false;
  }
};

test("allows every URL on a configured origin and on the service's own", () => {
  for (const given of [
    "https://admin.example/any?x=1#y",
    "https://avow.example/",
    "HTTPS://ADMIN.example/",
  ])
    assert.equal(isAllowed(given), true, given);
});

test("allows a configured URL exactly, with an additional `state`", () => {
  for (const given of [
    exact,
    "https://app.example:443/signed-in?tenant=7",
    `${exact}&state=abc`,
    "https://app.example/signed-in?state=abc&tenant=7",
    plain,
    `${plain}?state=abc`,
  ])
    assert.equal(isAllowed(given), true, given);
});

test("rejects any other scheme, host, port, path, query or fragment", () => {
  for (const given of [
    "http://app.example/signed-in?tenant=7",
    "https://www.app.example/signed-in?tenant=7",
    "https://app.example:8443/signed-in?tenant=7",
    "https://app.example/",
    "https://app.example/signed-in",
    "https://app.example/signed-in?",
    "https://app.example/signed-in?state=abc",
    "https://app.example/signed-in/",
    "https://app.example/Signed-in?tenant=7",
    "https://app.example/signed-in/../other",
    "https://app.example/signed-in?tenant=8",
    "https://app.example/signed-in?tenant=7&next=x",
    "https://app.example/signed-in?TENANT=7",
    "https://app.example/signed-in?tenant=%37",
    `${exact}#token`,
    `${exact}#`,
    `${exact}&state=a&state=b`,
    `${exact}&state=${"a".repeat(257)}`,
    `${plain}?next=//evil.example`,
    "https://ada@app.example/signed-in?tenant=7",
    "https://app.example\\@evil.example/signed-in?tenant=7",
  ])
    assert.equal(isAllowed(given), false, given);
});
