import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, beforeEach, describe, it } from "node:test";
import type { Content } from "@avow/contract/published";
import { openDatabase } from "../../packages/server/platform/db/open.ts";
import { openLog } from "../../packages/server/platform/log.ts";
import { refreshVendorList } from "../../packages/server/modules/publish/tcf/refreshing.ts";
import { openVendors } from "../../packages/server/modules/publish/tcf/tcf-vendors.ts";
import { readTcf } from "../../packages/server/modules/publish/tcf/vendor-list.ts";
import { openTestDatabase } from "../database.ts";
import { runLog } from "../harness.ts";
import { poll } from "../poll.ts";
import { smallVendorList } from "../vendor-list.ts";
import { openAnotherService } from "./another-service.ts";

const DAY_MS = 86_400_000;
const LIST = "/v3/vendor-list.json";
const opened = new AsyncDisposableStack();
after(() => opened.disposeAsync());

/** The files of IAB's server by path, and the requested paths. */
const files = new Map<string, string>();
const requested: string[] = [];
const server = createServer(({ url = "" }, response) => {
  requested.push(url);
  if (url === "/moved.json") return response.writeHead(302, { location: LIST }).end();
  const file = files.get(url);
  return response.writeHead(file === undefined ? 404 : 200).end(file);
}).listen(0, "127.0.0.1");
await once(server, "listening");
opened.defer(() => void server.close());
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const database = opened.use(await openTestDatabase());
const log = openLog({ level: "trace", format: "json", output: runLog });
const db = openDatabase({ url: database.url, poolMax: 2, queueMax: 100, log });
opened.defer(() => db.destroy());

let time = Date.parse("2026-11-27T06:00:00Z");
const app = {
  db,
  log,
  now: () => new Date(time),
  config: { tcfVendorList: undefined, tcfVendorListUrl: `${origin}${LIST}` },
};
const toList = (vendorListVersion: number): string =>
  JSON.stringify({ ...smallVendorList, vendorListVersion });

/** The versions in the archive, and the languages with a translation. */
async function readStored() {
  const lists = await db.selectFrom("tcf_vendor_lists").selectAll().orderBy("version").execute();
  const texts = await db.selectFrom("tcf_translations").selectAll().execute();
  return { versions: lists.map(({ version }) => version), lists, texts };
}

/** Publishes a French banner of vendor 2. */
function publish(config: typeof app.config = app.config) {
  const steps = [{ name: "partners", layout: "iab" }];
  const cookies = [
    { identifier: "a".repeat(24), projectId: "b".repeat(24), language: "fr", steps },
  ];
  const content = { cookies } as unknown as Content;
  return readTcf({ db, config }, content, { cmpId: 31, vendors: [2] });
}

describe("the weekly refresh of the vendor list", () => {
  beforeEach(() => {
    files.clear();
    requested.length = 0;
    time += 7 * DAY_MS;
  });

  it("stores the list with its translations, which are then published", async () => {
    const { vendors: _, ...texts } = smallVendorList;
    const purposes = { ...texts.purposes, 1: { ...texts.purposes[1], name: "Finalité 1" } };
    files.set(LIST, toList(12));
    files.set("/v3/purposes-fr.json", JSON.stringify({ ...texts, purposes }));
    files.set("/v3/purposes-de.json", "no JSON");
    await refreshVendorList(app);
    const stored = await readStored();
    assert.deepEqual(stored.versions, [12]);
    assert.deepEqual(
      stored.texts.map(({ language }) => language),
      ["fr"],
    );
    const { tcf } = await publish();
    assert.equal(tcf?.vendorListVersion, 12);
    assert.equal(tcf?.texts["fr"]?.purposes["1"]?.name, "Finalité 1");
    const { total } = await openVendors(app)({ page: 1, perPage: 10 });
    assert.equal(total, 4);
  });

  it("does not fetch again within a day, when several nodes start", async () => {
    files.set(LIST, toList(12));
    await refreshVendorList(app);
    const { length } = requested;
    time += DAY_MS - 1;
    await refreshVendorList(app);
    assert.equal(requested.length, length);
    time += 1;
    await refreshVendorList(app);
    assert.equal(requested.length, 2 * length);
  });

  it("publishes the newest version, and keeps the earlier ones unchanged", async () => {
    const listVendors = openVendors(app);
    await listVendors({ page: 1, perPage: 10 });
    const { vendors } = smallVendorList;
    const { 9: _, ...fewer } = vendors;
    files.set(LIST, JSON.stringify({ ...smallVendorList, vendorListVersion: 13, vendors: fewer }));
    await refreshVendorList(app);
    const { versions, lists } = await readStored();
    assert.deepEqual(versions, [12, 13]);
    assert.deepEqual(lists[0]?.list, JSON.parse(toList(12)));
    const { tcf, notes } = await publish();
    assert.equal(tcf?.vendorListVersion, 13);
    assert.match(notes.join(" "), /Vendor list 13/);
    assert.equal((await listVendors({ page: 1, perPage: 10 })).total, 3);
  });

  const wrong: [what: string, path: string, prepare: () => void, error: RegExp][] = [
    ["an older list", LIST, () => files.set(LIST, toList(11)), /11 is older than 13/],
    ["no list", LIST, () => undefined, /not found/],
    ["a list of another kind", LIST, () => files.set(LIST, `{"vendors":{}}`), /is invalid/],
    ["no JSON", LIST, () => files.set(LIST, "<html>"), /JSON/],
    ["a list that is too long", LIST, () => files.set(LIST, " ".repeat(8_388_609)), /too long/],
    ["a redirect", "/moved.json", () => files.set(LIST, toList(14)), /fetch failed/],
  ];
  for (const [what, path, prepare, error] of wrong)
    it(`rejects ${what}, and keeps the earlier versions`, async () => {
      prepare();
      const config = { ...app.config, tcfVendorListUrl: origin + path };
      await assert.rejects(refreshVendorList({ ...app, config }), error);
      assert.deepEqual((await readStored()).versions, [12, 13]);
    });

  it("fetches nothing and publishes no stored list without an address", async () => {
    const config = { ...app.config, tcfVendorListUrl: undefined } as never;
    await refreshVendorList({ ...app, config });
    assert.deepEqual(requested, []);
    await assert.rejects(publish(config), /no vendor list/);
  });
});

it("fetches the list at the first start", async () => {
  files.clear();
  files.set(LIST, toList(20));
  await using own = await openTestDatabase();
  await using _service = await openAnotherService(own.url, {
    TCF_VENDOR_LIST_URL: `${origin}${LIST}`,
  });
  const ownDb = openDatabase({ url: own.url, poolMax: 1, queueMax: 100, log });
  try {
    await poll({
      read: () => ownDb.selectFrom("tcf_vendor_lists").select("version").execute(),
      isRight: (rows) => rows[0]?.version === 20,
      waitMs: 30_000,
      toMessage: () => "The list is not stored.",
    });
  } finally {
    await ownDb.destroy();
  }
});
