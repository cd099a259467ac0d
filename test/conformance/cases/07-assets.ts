import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type Answer, type Json, assertProblem, assertStatus, toList, toText } from "../client.ts";
import { behaviour, section } from "../behaviour.ts";
import { createPng } from "../png.ts";
import { toBanner } from "../documents.ts";
import { create, createProject } from "../site.ts";
import { once, openOwner, removeAtEnd, runId, visitor } from "../target.ts";

const UPLOAD_BYTES_MAX = 20 * 1024 * 1024;
const png = createPng(64, 48);

interface Upload {
  name: string;
  type: string;
  bytes: Uint8Array<ArrayBuffer> | string;
}

async function upload(...files: readonly Upload[]): Promise<Answer> {
  const { client } = await openOwner();
  const body = new FormData();
  for (const [index, { name, type, bytes }] of files.entries())
    body.append(`anything${index}`, new Blob([bytes], { type }), name);
  const answer = await client.send("POST", "/v1/assets", { body });
  if (answer.status === 200)
    for (const { _id } of toList(answer.json))
      removeAtEnd(async () =>
        assertStatus(await client.delete(`/v1/assets/${toText(_id)}`), 200, 204, 404),
      );
  return answer;
}

const openPicture = once(async (): Promise<Json> => {
  const answer = assertStatus(
    await upload({ name: "grey.png", type: "image/png", bytes: png }),
    200,
  );
  const [asset] = toList(answer.json);
  assert.ok(asset, "one asset");
  return asset;
});

section("Assets", { isConcurrent: true }, () => {
  behaviour("stores several files of any field name", "wire 7", async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 0h8v8"/></svg>';
    const answer = await upload(
      { name: "one.png", type: "image/png", bytes: createPng(16, 9) },
      { name: "two.svg", type: "image/svg+xml", bytes: svg },
    );
    const assets = toList(assertStatus(answer, 200).json);
    assert.ok(Array.isArray(answer.json), "a bare array");
    assert.deepEqual(
      assets.map(({ originalName, detectedMimeType }) => [originalName, detectedMimeType]),
      [
        ["one.png", "image/png"],
        ["two.svg", "image/svg+xml"],
      ],
    );
  });

  behaviour("answers the metadata of a file", "wire 7", async () => {
    const { client } = await openOwner();
    const asset = await openPicture();
    const path = `/v1/assets/${toText(asset["_id"])}/metadata`;
    for (const json of [asset, assertStatus(await client.get(path), 200).json]) {
      assert.equal(json["id"], asset["_id"]);
      assert.equal(json["originalName"], "grey.png");
      assert.equal(json["size"], png.byteLength);
      assert.equal(json["detectedMimeType"], "image/png");
      assert.equal(json["clientReportedMimeType"], "image/png");
      assert.equal(json["width"], 64);
      assert.equal(json["height"], 48);
      assert.match(toText(json["uploadedAt"]), /Z$/);
      assert.match(toText(json["createdAt"]), /Z$/);
      assert.equal(typeof json["hash"], "string");
      assert.equal(typeof json["url"], "string");
      assert.equal(typeof json["links"], "object");
    }
  });

  behaviour("serves the original to everybody", "wire 7", async () => {
    const asset = await openPicture();
    const answer = assertStatus(await visitor.get(`/v1/assets/${toText(asset["_id"])}`), 200);
    assert.deepEqual(Buffer.from(answer.bytes), Buffer.from(png));
    assert.equal(answer.headers.get("content-type"), "image/png");
    assert.match(answer.headers.get("content-disposition") ?? "", /grey\.png/);
    const digest = createHash("sha256").update(answer.bytes).digest("hex");
    assert.ok(toText(asset["hash"]).includes(digest), "the hash is SHA-256");
  });

  behaviour("lists the files of the user", "wire 7", async () => {
    const { client } = await openOwner();
    const asset = await openPicture();
    const answer = assertStatus(await client.get("/v1/assets"), 200);
    assert.ok(toList(answer.json).some(({ _id }) => _id === asset["_id"]));
  });

  behaviour("renders a size and a format", "wire 7", async () => {
    const asset = await openPicture();
    const url = toText(asset["url"], "url");
    const query = { w: "32", h: "24", fit: "crop", fm: "webp", q: "70", dpr: "1" };
    const answer = assertStatus(await visitor.get(url, { query }), 200);
    assert.equal(answer.headers.get("content-type"), "image/webp");
    assert.match(answer.headers.get("cache-control") ?? "", /immutable/);
    assert.equal(new TextDecoder("latin1").decode(answer.bytes.subarray(8, 12)), "WEBP");
    const again = assertStatus(await visitor.get(url, { query }), 200);
    assert.deepEqual(again.bytes, answer.bytes);
  });

  behaviour("negotiates the format of a render by Accept", "wire 7", async () => {
    const asset = await openPicture();
    const query = { w: "20", auto: "format,compress" };
    const types = [];
    for (const accept of ["image/avif,image/*", "image/webp,image/*", "image/png"]) {
      const answer = await visitor.get(toText(asset["url"]), { query, headers: { accept } });
      types.push(assertStatus(answer, 200).headers.get("content-type"));
      assert.match(answer.headers.get("vary") ?? "", /accept/i);
    }
    assert.deepEqual(types, ["image/avif", "image/webp", "image/png"]);
  });

  behaviour("bounds the size of a render", "wire 7", async () => {
    const asset = await openPicture();
    const query = { w: "1000000", h: "1000000", fm: "png" };
    const answer = await visitor.get(toText(asset["url"]), { query });
    assertStatus(answer, 200, 400, 422);
    assert.ok(answer.bytes.byteLength < UPLOAD_BYTES_MAX);
  });

  behaviour("sanitizes SVG", "wire 7", async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script><path d="M0 0h8v8"/></svg>';
    const answer = await upload({ name: "bad.svg", type: "image/svg+xml", bytes: svg });
    const [asset] = toList(assertStatus(answer, 200).json);
    const { text } = assertStatus(await visitor.get(`/v1/assets/${toText(asset?.["_id"])}`), 200);
    assert.doesNotMatch(text, /script|onload/);
    assert.match(text, /<path/);
  });

  behaviour("decides on the type by content, not by name: 415", "wire 7", async () => {
    const bytes = "<html><body>Not a picture</body></html>";
    assertProblem(await upload({ name: "page.png", type: "image/png", bytes }), 415);
  });

  behaviour("answers 413 to a file of over 20 MiB", "wire 7", async () => {
    const bytes = new Uint8Array(UPLOAD_BYTES_MAX + 1);
    bytes.set(png);
    assertProblem(await upload({ name: "large.png", type: "image/png", bytes }), 413);
  });

  behaviour("answers 422 to a picture of over 100 megapixels", "wire 7", async () => {
    const bytes = createPng(10_001, 10_000);
    assertProblem(await upload({ name: "wide.png", type: "image/png", bytes }), 422);
  });

  behaviour("does not delete a file that a configuration uses: 409", "wire 7", async () => {
    const { client } = await openOwner();
    const bytes = createPng(10, 10);
    const answer = await upload({ name: `used-${runId}.png`, type: "image/png", bytes });
    const image = toText(toList(assertStatus(answer, 200).json)[0]?.["_id"]);
    const projectId = toText((await createProject())["_id"]);
    const steps = [{ name: "welcome", layout: "welcome", title: "Cookies", image }];
    const banner = await create("cookies", toBanner(projectId, { steps }));
    assertProblem(await client.delete(`/v1/assets/${image}`), 409);
    assertStatus(await client.delete(`/v1/vault/cookies/${toText(banner["_id"])}`), 204);
    assertStatus(await client.delete(`/v1/assets/${image}`), 200, 204);
    assertProblem(await client.get(`/v1/assets/${image}/metadata`), 404);
  });
});
