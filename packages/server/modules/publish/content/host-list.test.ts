import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vendor } from "@avow/contract/configuration";
import type { PublishedCookies } from "@avow/contract/published";
import { toBlockFile, toHostList } from "./host-list.ts";

const cookies = (...vendors: Partial<Vendor>[]): PublishedCookies =>
  ({
    identifier: "c".repeat(24),
    projectId: "a".repeat(24),
    title: "Cookies",
    steps: [{ name: "partners", layout: "category", vendors }],
  }) as PublishedCookies;

test("lists the most specific address first", () => {
  const hosts = [
    "*.google.com",
    "www.google.com",
    "www.google.com/maps",
    "*.www.google.com",
    "google.com",
    "www.google.com/maps/embed",
  ];
  const list = toHostList({ cookies: [cookies({ name: "google", hosts })] }, []);
  assert.deepEqual(
    list.map(([host]) => host),
    [
      "www.google.com/maps/embed",
      "www.google.com/maps",
      "www.google.com",
      "*.www.google.com",
      "google.com",
      "*.google.com",
    ],
  );
});

test("names all vendors of an address, and none that no configuration asks for", () => {
  const list = toHostList(
    {
      cookies: [
        cookies(
          { name: "stripe", required: true, hosts: ["js.stripe.com"] },
          { name: "ga", hosts: ["www.googletagmanager.com"] },
          { name: "chat", required: true, hosts: ["chat.example"] },
        ),
        cookies(
          { name: "ads", hosts: ["WWW.googletagmanager.com:443"] },
          { name: "chat", hosts: ["chat.example"] },
        ),
      ],
    },
    [],
  );
  assert.deepEqual(list, [
    ["www.googletagmanager.com", "ga", "ads"],
    ["js.stripe.com"],
    ["chat.example", "chat"],
  ]);
});

test("leaves out addresses of older documents that are not valid", () => {
  const given = [
    { name: "a", hosts: "a.example" },
    { name: "b", hosts: [null, "/path", ""] },
  ];
  assert.deepEqual(
    toHostList({ cookies: given.map((one) => cookies(one as Partial<Vendor>)) }, ["avow.example"]),
    [],
  );
});

test("never holds the service, whatever the addresses of vendors cover", () => {
  const hosts = ["*.shop.example", "consent.shop.example"];
  const list = toHostList({ cookies: [cookies({ name: "a", hosts })] }, ["consent.shop.example"]);
  assert.deepEqual(list, [["consent.shop.example"], ["*.shop.example", "a"]]);
});

const config = {
  cdnUrl: "https://cdn.example/files",
  http: { publicUrl: "https://consent.example" },
} as Parameters<typeof toBlockFile>[2];

test("writes a script that can also be in a page's own script element", () => {
  const blocker = Buffer.from(`run(AVOW_HOSTS)`);
  const content = { cookies: [cookies({ name: "a", hosts: ["a.example/</script>$&"] })] };
  assert.equal(
    toBlockFile(blocker, content, config)?.toString(),
    String.raw`run([["consent.example"],["cdn.example"],["a.example/\u003c/script>$&","a"]])`,
  );
  assert.equal(toBlockFile(blocker, { cookies: [cookies({ name: "a" })] }, config), undefined);
});
