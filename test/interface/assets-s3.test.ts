import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import sharp from "sharp";
import type { UploadedAssetOut } from "../../packages/server/modules/assets/schema.ts";
import { setCredentials } from "../stand-ins/credentials.ts";
import { type S3StandIn, openS3StandIn } from "../stand-ins/s3.ts";
import { type OneSite, openOneSite, pollUntil } from "./one-site.ts";
import { fetchBytes, newPicture, toForm } from "./pictures.ts";

const signer = { accessKeyId: "KEY", secretAccessKey: "secret" };
const bucket = "avow-assets";
const immutableCacheControl = "public, max-age=31536000, immutable";

describe("assets in S3", () => {
  const opened = new AsyncDisposableStack();
  let s3: S3StandIn;
  let site: OneSite;
  let authorization: string;
  before(async () => {
    s3 = opened.use(await openS3StandIn({ ...signer, bucket }));
    opened.use(setCredentials(signer));
    const place = { S3_BUCKET: bucket, S3_ENDPOINT: s3.url, S3_PATH_STYLE: "on" };
    site = opened.use(
      await openOneSite({ OBJECTS: "s3", ...place, ASSETS_USER_BYTES_MAX: "20000" }),
    );
    const signedIn = await fetch(`${site.url}/v1/auth/local/signin`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "ada@example.org", password: "correct horse" }),
    });
    const { token } = (await signedIn.json()) as { token: string };
    authorization = `Bearer ${token}`;
  });
  after(() => opened.disposeAsync());

  const send = (bytes: Buffer) => {
    const { body, contentType } = toForm([{ bytes }]);
    const headers = { authorization, "content-type": contentType };
    return fetch(`${site.url}/v1/assets`, { method: "POST", headers, body });
  };
  const keysOf = (hash: string) => [...s3.objects.keys()].filter((key) => key.includes(hash));

  test("store assets with their renders, serve them, and delete them", async () => {
    const bytes = await newPicture().png().toBuffer();
    const [asset] = (await (await send(bytes)).json()) as UploadedAssetOut[];
    assert.ok(asset);
    const kept = s3.objects.get(`assets/${asset.hash}.png`);
    assert.ok(kept && kept.bytes.equals(bytes));
    assert.deepEqual(kept.headers, {
      "content-type": "image/png",
      "cache-control": immutableCacheControl,
    });
    const render = await fetchBytes(`${asset.url}?w=30&fm=webp`);
    assert.equal(render.status, 200);
    const renderKey = keysOf(asset.hash).find((key) => key.endsWith(".webp")) ?? "";
    assert.ok(s3.objects.get(renderKey)?.bytes.equals(render.bytes));
    assert.deepEqual((await fetchBytes(asset.url)).bytes, bytes);
    const gone = await fetch(asset.url, { method: "DELETE", headers: { authorization } });
    assert.equal(gone.status, 204);
    await pollUntil("deletion of its objects", () =>
      keysOf(asset.hash).length > 0 ? undefined : true,
    );
  });

  test("limit one user's storage, also when others have the same content", async () => {
    const noise = (side: number) =>
      sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
        .png()
        .toBuffer();
    const first = await send(await noise(70));
    const [asset] = (await first.json()) as UploadedAssetOut[];
    assert.ok(asset && asset.size > 14_000 && asset.size < 20_000);
    const bytes = await noise(50);
    const refused = await send(bytes);
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), /limit of 20000 bytes; \d+ are in use/);
    const hash = createHash("sha256").update(bytes).digest("hex");
    await pollUntil("deletion of the rejected upload", () =>
      keysOf(hash).length > 0 ? undefined : true,
    );
    await fetch(asset.url, { method: "DELETE", headers: { authorization } });
    const taken = await send(bytes);
    assert.equal(taken.status, 200, await taken.clone().text());
    const [{ url } = { url: "" }] = (await taken.json()) as UploadedAssetOut[];
    await fetch(url, { method: "DELETE", headers: { authorization } });
  });

  test("are unavailable while the storage fails, and no asset lacks its file", async () => {
    const bytes = await newPicture().png().toBuffer();
    s3.fail({ method: "PUT", times: 12 }, { kind: "error", status: 500, code: "InternalError" });
    const failed = await send(bytes);
    assert.equal(failed.status, 503, await failed.text());
    assert.ok(failed.headers.get("retry-after"));
    const list = async () => {
      const answer = await fetch(`${site.url}/v1/assets`, { headers: { authorization } });
      return (await answer.json()) as unknown[];
    };
    assert.deepEqual(await list(), []);
    const again = await pollUntil("the fault has passed", async () => {
      const answer = await send(bytes);
      return answer.status === 200 ? answer : undefined;
    });
    assert.equal(((await again.json()) as unknown[]).length, 1);
    assert.equal((await list()).length, 1);
  });
});
