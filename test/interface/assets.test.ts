import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { service } from "../harness.ts";
import { fetchBytes, newPicture, upload, uploadOne } from "./pictures.ts";

const WAIT_MS_MAX = 60_000;
const pdf = (text: string): string =>
  `%PDF-1.4\n% ${text}\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n`;

function objectFile(hash: string, ending: string): string {
  return join(service.config.dataDir, "published", "assets", `${hash}.${ending}`);
}

async function waitUntil(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const until = Date.now() + WAIT_MS_MAX; !(await holds()); await delay(50))
    assert.ok(Date.now() < until, what);
}

describe("an upload", () => {
  it("returns each file with exactly the fields of the interface", async () => {
    const { token } = await service.newUser();
    const bytes = await newPicture().png().toBuffer();
    const { status, body } = await upload(token, [{ bytes, name: "cup.png", type: "image/png" }]);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.length, 1);
    const [{ _id, id, createdAt, uploadedAt, links, ...others }] = body;
    assert.match(id, /^[0-9a-f]{24}$/);
    assert.equal(_id, id);
    assert.equal(createdAt, uploadedAt);
    const url = `${service.url}/v1/assets/${id}`;
    const assets = `${service.url}/v1/assets`;
    const uses = `${url}/uses`;
    assert.deepEqual(links, { self: url, metadata: `${url}/metadata`, uses, assets });
    const { dominantColor, ...known } = others;
    assert.match(dominantColor ?? "", /^#[0-9a-f]{6}$/);
    assert.deepEqual(known, {
      originalName: "cup.png",
      size: bytes.length,
      detectedMimeType: "image/png",
      clientReportedMimeType: "image/png",
      width: 120,
      height: 80,
      pages: 1,
      hash: createHash("sha256").update(bytes).digest("hex"),
      url,
    });
  });

  it("accepts each of the formats, several files at once, and returns them unchanged", async () => {
    const { token } = await service.newUser();
    const files = [
      ...(await Promise.all(
        (["png", "jpeg", "gif", "webp", "avif"] as const).map(async (format) => ({
          type: `image/${format}`,
          bytes: await newPicture().toFormat(format).toBuffer(),
        })),
      )),
      { type: "application/pdf", bytes: Buffer.from(pdf(randomUUID())) },
    ];
    const { status, body } = await upload(
      token,
      files.map((file, at) => ({ ...file, name: `file-${at}` })),
    );
    assert.equal(status, 200, JSON.stringify(body));
    for (const [at, { type, bytes }] of files.entries()) {
      assert.equal(body[at].detectedMimeType, type);
      const read = await fetchBytes(body[at].url);
      assert.deepEqual(read.bytes, bytes);
      assert.equal(read.headers.get("content-type"), type);
      assert.equal(read.headers.get("cache-control"), "public, max-age=31536000, immutable");
      assert.equal(read.headers.get("content-disposition"), `inline; filename=file-${at}`);
      assert.equal(read.headers.get("x-content-type-options"), "nosniff");
      assert.equal(read.headers.get("cross-origin-resource-policy"), "cross-origin");
    }
  });

  it("determines the type from the content, and reports the type that the client sent", async () => {
    const { token } = await service.newUser();
    const bytes = await newPicture().webp().toBuffer();
    const asset = await uploadOne(token, {
      bytes,
      name: "a.exe",
      type: "application/x-msdownload",
    });
    assert.equal(asset.detectedMimeType, "image/webp");
    assert.equal(asset.clientReportedMimeType, "application/x-msdownload");
  });

  it("stores identical content once, as one asset per user", async () => {
    const [one, two] = [await service.newUser(), await service.newUser()];
    const bytes = await newPicture().png().toBuffer();
    const [first, second] = await Promise.all([
      uploadOne(one.token, { bytes }),
      uploadOne(two.token, { bytes }),
    ]);
    assert.notEqual(first.id, second.id);
    assert.equal(first.hash, second.hash);
    const remove = (token: string, id: string) =>
      service.fetch(`/v1/assets/${id}`, { method: "DELETE", token });
    assert.equal((await remove(one.token, first.id)).status, 204);
    assert.equal((await fetchBytes(first.url)).status, 404);
    assert.deepEqual((await fetchBytes(second.url)).bytes, bytes);
    await fetchBytes(`${second.url}?w=30`);
    const render = await service.db
      .selectFrom("asset_renders")
      .selectAll()
      .where("sha256", "=", first.hash)
      .executeTakeFirstOrThrow();
    const renderFile = objectFile(`${first.hash}/${render.digest}`, "png");
    assert.ok(existsSync(renderFile));
    assert.equal((await remove(two.token, second.id)).status, 204);
    const files = [objectFile(first.hash, "png"), renderFile];
    await waitUntil(() => !files.some((file) => existsSync(file)), "no user has it any more");
    // The same content can be uploaded again.
    const again = await uploadOne(one.token, { bytes });
    assert.deepEqual((await fetchBytes(again.url)).bytes, bytes);
  });

  it("returns the same assets for the same key and files, and rejects the key with other files", async () => {
    const { token } = await service.newUser();
    const bytes = await newPicture().png().toBuffer();
    const headers = { "idempotency-key": randomUUID() };
    const first = await upload(token, [{ bytes }], headers);
    const again = await upload(token, [{ bytes }], headers);
    assert.deepEqual(again.body, first.body);
    assert.equal(again.headers.get("idempotency-replayed"), "true");
    const other = await newPicture().png().toBuffer();
    const hash = createHash("sha256").update(other).digest("hex");
    const refused = await upload(token, [{ bytes: other }], headers);
    assert.equal(refused.status, 422);
    await waitUntil(() => !existsSync(objectFile(hash, "png")), "the upload is removed again");
    const list = await service.fetch("/v1/assets", { token });
    assert.equal(list.body.length, 1);
  });

  it("strips folders, control characters and direction marks from names, and cuts them to 255 characters", async () => {
    const { token } = await service.newUser();
    const names = {
      "../../etc/passwd": "passwd",
      "C:\\Users\\me\\cup.png": "cup.png",
      "a\u0000b\u0007.png": "ab.png",
      "\u202Egnp.exe": "gnp.exe",
      "tasse à café.png": "tasse à café.png",
      "می\u200cخواهم.png": "می\u200cخواهم.png",
      "..": "unnamed",
      [`${"x".repeat(4_000)}.png`]: `${"x".repeat(251)}.png`,
    };
    for (const [name, kept] of Object.entries(names)) {
      const bytes = await newPicture().png().toBuffer();
      const asset = await uploadOne(token, { bytes, name });
      assert.equal(asset.originalName, kept);
      const { headers } = await fetchBytes(asset.url);
      assert.match(headers.get("content-disposition") ?? "", /^inline; filename/);
    }
    const bytes = await newPicture().png().toBuffer();
    const { url } = await uploadOne(token, { bytes, name: "tasse à café ☕.png" });
    const { headers } = await fetchBytes(url);
    const encoded = "UTF-8''tasse%20%C3%A0%20caf%C3%A9%20%E2%98%95.png";
    assert.ok(headers.get("content-disposition")?.includes(`filename*=${encoded}`));
  });

  it("requires a token", async () => {
    const bytes = await newPicture().png().toBuffer();
    assert.equal((await upload("wrong", [{ bytes }])).status, 403);
  });
});

describe("a user's files", () => {
  it("are listed newest first, in pages, and sorted as requested", async () => {
    const { token } = await service.newUser();
    const stranger = await service.newUser();
    const ids: string[] = [];
    for (const name of ["b.png", "c.png", "a.png"])
      ids.push((await uploadOne(token, { bytes: await newPicture().png().toBuffer(), name })).id);
    const list = (query: string) => service.fetch(`/v1/assets${query}`, { token });
    const idsOf = async (query: string) =>
      (await list(query)).body.map(({ id }: { id: string }) => id);
    assert.deepEqual(await idsOf(""), ids.toReversed());
    assert.deepEqual(await idsOf("?sort=createdAt"), ids);
    assert.deepEqual(await idsOf("?sort=-originalName"), [ids[1], ids[0], ids[2]]);
    const page = await list("?perPage=2&page=2");
    assert.deepEqual(
      page.body.map(({ id }: { id: string }) => id),
      [ids[0]],
    );
    assert.equal(page.headers.get("x-total-count"), "3");
    assert.equal(page.headers.get("x-last-page"), "2");
    assert.match(page.headers.get("link") ?? "", /rel="prev"/);
    assert.equal((await list("?sort=hash")).status, 400);
    const others = await service.fetch("/v1/assets", { token: stranger.token });
    assert.deepEqual(others.body, []);
  });

  it("are found by a literal part of the name, and by type", async () => {
    const { token } = await service.newUser();
    for (const [name, format] of [
      ["Summer 50%_off.png", "png"],
      ["summer.webp", "webp"],
      ["winter.png", "png"],
    ] as const)
      await uploadOne(token, { bytes: await newPicture().toFormat(format).toBuffer(), name });
    await uploadOne(token, { bytes: pdf(randomUUID()), name: "Summer terms.pdf" });
    const namesOf = async (query: string) => {
      const { body } = await service.fetch(`/v1/assets?sort=originalName&${query}`, { token });
      return body.map(({ originalName }: { originalName: string }) => originalName);
    };
    const all = ["Summer 50%_off.png", "Summer terms.pdf", "summer.webp", "winter.png"];
    assert.deepEqual((await namesOf("name=SUMMER")).toSorted(), all.slice(0, 3));
    assert.deepEqual(await namesOf("name=%25_"), [all[0]]);
    assert.deepEqual(await namesOf("name=%25%25"), []);
    assert.deepEqual((await namesOf("type=image")).toSorted(), [all[0], all[2], all[3]]);
    assert.deepEqual(await namesOf("type=image/png&name=win"), ["winter.png"]);
    assert.deepEqual(await namesOf("type=application/pdf"), ["Summer terms.pdf"]);
    assert.equal((await service.fetch("/v1/assets?type=text/html", { token })).status, 400);
    const page = await service.fetch("/v1/assets?name=summer&perPage=1&page=2", { token });
    assert.equal(page.headers.get("x-total-count"), "3");
    assert.match(page.body[0].dominantColor ?? "", /^#/);
    assert.match(page.headers.get("link") ?? "", /name=summer.*rel="next"/);
  });

  it("list the documents that use them to their owner only", async () => {
    const { token, project } = await service.newOwner();
    const stranger = await service.newUser();
    const { id, links } = await uploadOne(token, { bytes: await newPicture().png().toBuffer() });
    const json = { projectId: project.id, title: "Letter", picture: id };
    const box = await service.fetch("/v1/vault/processings", { token, json });
    const foreign = await service.newProject(stranger.token);
    const theirs = { projectId: foreign.id, title: "Theirs", picture: id };
    await service.fetch("/v1/vault/processings", { token: stranger.token, json: theirs });
    const { status, body } = await service.fetch(links.uses, { token });
    assert.equal(status, 200);
    assert.deepEqual(body, [
      {
        id: box.body.id,
        resource: "processings",
        label: '"Letter"',
        projectId: project.id,
        links: { document: `${service.url}/v1/vault/processings/${box.body.id}` },
      },
    ]);
    assert.equal((await service.fetch(links.uses, { token: stranger.token })).status, 404);
    assert.equal((await service.fetch(links.uses)).status, 403);
  });

  it("show their metadata to everybody, with the dominant colour of a picture", async () => {
    const { token } = await service.newUser();
    const bytes = await newPicture().jpeg().toBuffer();
    const asset = await uploadOne(token, { bytes });
    const { status, body, headers } = await service.fetch(`/v1/assets/${asset.id}/metadata`, {
      headers: { origin: "https://shop.example" },
    });
    assert.equal(status, 200);
    assert.equal(headers.get("access-control-allow-origin"), "*");
    assert.deepEqual(body, asset);
    assert.equal(body.pages, 1);
    assert.match(body.dominantColor ?? "", /^#[0-9a-f]{6}$/);
  });

  it("are deleted by their owner only, and only while unused", async () => {
    const { token, project } = await service.newOwner();
    const stranger = await service.newUser();
    const asset = await uploadOne(token, { bytes: await newPicture().png().toBuffer() });
    const remove = (by: string) =>
      service.fetch(`/v1/assets/${asset.id}`, { method: "DELETE", token: by });
    assert.equal((await remove(stranger.token)).status, 404);
    const uses: [string, Record<string, unknown>][] = [
      ["cookies", { steps: [{ name: "a", layout: "category", image: asset.id }] }],
      [
        "cookies",
        {
          steps: [
            { name: "a", layout: "category", vendors: [{ name: "matomo", image: asset.id }] },
          ],
        },
      ],
      ["processings", { picture: asset.id }],
      ["contracts", { file: asset.id }],
      ["vendors", { name: "matomo", image: asset.id }],
    ];
    for (const [resource, fields] of uses) {
      const { body: made } = await service.fetch(`/v1/vault/${resource}`, {
        token,
        json: { projectId: project.id, title: "Winter sale", ...fields },
      });
      const refused = await remove(token);
      assert.equal(refused.status, 409, `${resource} ${JSON.stringify(made)}`);
      assert.ok(refused.body.detail.includes(`${resource}/${made.id}`), refused.body.detail);
      await service.fetch(`/v1/vault/${resource}/${made.id}`, { method: "DELETE", token });
    }
    const foreign = await service.newOwner();
    // Anybody may reference an id; this must not keep the owner from deleting the file.
    const named = await service.fetch("/v1/vault/processings", {
      token: foreign.token,
      json: { projectId: foreign.project.id, title: "Secret plan", picture: asset.id },
    });
    assert.equal(named.status, 201);
    assert.equal((await remove(token)).status, 204);
    assert.equal((await remove(token)).status, 404);
    const events = await service.db
      .selectFrom("events")
      .select("name")
      .where("document_id", "=", asset.id)
      .orderBy("id")
      .execute();
    assert.deepEqual(
      events.map(({ name }) => name),
      ["asset.created", "asset.deleted"],
    );
  });

  it("return 304 to a client that has them", async () => {
    const { token } = await service.newUser();
    const { url } = await uploadOne(token, { bytes: await newPicture().png().toBuffer() });
    for (const address of [url, `${url}?w=20`]) {
      const { headers } = await fetchBytes(address);
      const again = await fetchBytes(address, { "if-none-match": headers.get("etag") ?? "" });
      assert.equal(again.status, 304);
      assert.equal(again.bytes.length, 0);
    }
  });
});

describe("an SVG", () => {
  const hostile = `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" onload="alert(1)"><script>alert(2)</script><rect id="ID" width="40" height="20" fill="#00f"/></svg>`;

  it("is stored without anything that could run or load, with a warning", async () => {
    const { token } = await service.newUser();
    const asset = await uploadOne(token, { bytes: hostile.replace("ID", `r${randomUUID()}`) });
    assert.deepEqual([asset.width, asset.height], [40, 20]);
    const warnings = asset.warnings?.map(({ message }) => message).join(" ") ?? "";
    for (const what of ["document type", "script", "onload"])
      assert.match(warnings, new RegExp(what));
    const { bytes, headers } = await fetchBytes(asset.url);
    assert.match(
      bytes.toString(),
      /^<svg xmlns="[^"]+"[^<]*viewBox="0 0 40 20"><rect [^<]*\/><\/svg>\n$/,
    );
    assert.equal(bytes.length, asset.size);
    assert.equal(createHash("sha256").update(bytes).digest("hex"), asset.hash);
    assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'.*sandbox/);
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.match(headers.get("content-disposition") ?? "", /^attachment/);
  });

  it("has no second URL at which it would open as a page", async () => {
    const { token } = await service.newUser();
    const { hash } = await uploadOne(token, { bytes: hostile.replace("ID", `r${randomUUID()}`) });
    assert.ok(existsSync(objectFile(hash, "svg")));
    const answer = await fetchBytes(`${service.url}/cdn/assets/${hash}.svg`);
    assert.equal(answer.status, 404);
  });

  it("has no warnings when nothing is removed", async () => {
    const { token } = await service.newUser();
    const text = `<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect id="r${randomUUID()}" width="4" height="4"/></svg>`;
    const asset = await uploadOne(token, { bytes: text });
    assert.equal("warnings" in asset, false);
  });
});
