import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it } from "node:test";
import sharp from "sharp";
import { service } from "../harness.ts";
import { fetchBytes, newFrames, newPicture, upload, uploadOne } from "./pictures.ts";

const browser = "image/avif,image/webp,image/apng,image/*,*/*;q=0.8";

async function newAsset(bytes: Buffer) {
  const { token } = await service.newUser();
  return uploadOne(token, { bytes });
}

async function look(url: string, headers: Record<string, string> = {}) {
  const answer = await fetchBytes(url, headers);
  assert.equal(answer.status, 200, answer.bytes.toString("utf8", 0, 500));
  const metadata = await sharp(answer.bytes, { animated: true }).metadata();
  return { ...answer, metadata, size: [metadata.width, metadata.pageHeight ?? metadata.height] };
}

describe("a render of a picture of 120 by 80", async () => {
  const { url } = await newAsset(await newPicture().png().toBuffer());
  const shapes: Record<string, [number, number]> = {
    "w=60": [60, 40],
    "h=20": [30, 20],
    "w=60&h=60": [60, 40],
    "w=240": [240, 160],
    "w=240&fit=max": [120, 80],
    "w=60&h=60&fit=crop": [60, 60],
    "w=60&h=60&fit=fill&bg=f00": [60, 60],
    "w=60&h=60&fit=scale": [60, 60],
    "w=30&dpr=2": [60, 40],
    "q=50&fm=jpg": [120, 80],
    "w=33&h=77&fit=crop&crop=bottom,right": [33, 77],
    "w=33&h=77&fit=crop&crop=entropy": [33, 77],
  };
  for (const [query, size] of Object.entries(shapes))
    it(`has for ${query} the size ${size.join(" by ")}`, async () => {
      assert.deepEqual((await look(`${url}?${query}`)).size, size);
    });

  it("keeps the requested corner in a crop", async () => {
    const kept = async (crop: string) => {
      const { bytes } = await look(`${url}?w=5&h=80&fit=crop&crop=${crop}`);
      return (await sharp(bytes).removeAlpha().raw().toBuffer())[0] ?? 0;
    };
    // The corner at the top left is the white one.
    assert.ok((await kept("left,top")) > 240);
    assert.ok((await kept("right")) < 220);
  });

  it("has a border in the requested colour", async () => {
    const { bytes } = await look(`${url}?w=60&h=60&fit=fill&bg=00ff00`);
    const raw = await sharp(bytes).removeAlpha().raw().toBuffer();
    assert.deepEqual([...raw.subarray(0, 3)], [0, 255, 0]);
  });

  const formats = { avif: "avif", webp: "webp", jpg: "jpeg", png: "png" };
  for (const [fm, type] of Object.entries(formats))
    it(`has the type image/${type} for fm=${fm}`, async () => {
      const { headers, metadata } = await look(`${url}?fm=${fm}&w=40`);
      assert.equal(headers.get("content-type"), `image/${type}`);
      assert.equal(metadata.format, fm === "avif" ? "heif" : type);
    });

  it("uses the smallest format that Accept allows, and varies by it", async () => {
    const typeFor = async (query: string, accept: string) => {
      const { headers } = await look(`${url}?w=50&${query}`, { accept });
      const isNegotiated = /\bAccept\b/.test(headers.get("vary") ?? "");
      return [headers.get("content-type"), isNegotiated];
    };
    assert.deepEqual(await typeFor("fm=auto", browser), ["image/avif", true]);
    assert.deepEqual(await typeFor("auto=format", browser), ["image/avif", true]);
    assert.deepEqual(await typeFor("auto=format,compress", "image/webp,*/*"), ["image/webp", true]);
    assert.deepEqual(await typeFor("fm=auto", "*/*"), ["image/png", true]);
    assert.deepEqual(await typeFor("fm=auto", "image/avif;q=0,*/*"), ["image/png", true]);
    assert.deepEqual(await typeFor("fm=jpg&auto=format", browser), ["image/jpeg", false]);
    assert.deepEqual(await typeFor("q=50", browser), ["image/png", false]);
  });

  it("allows every origin and is immutable", async () => {
    const { headers } = await look(`${url}?w=41`, { origin: "https://shop.example" });
    assert.equal(headers.get("access-control-allow-origin"), "*");
    assert.equal(headers.get("cross-origin-resource-policy"), "cross-origin");
    assert.equal(headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.match(headers.get("etag") ?? "", /^"[0-9a-f]{64}"$/);
  });

  it("rejects invalid parameters, naming all of them", async () => {
    const { status, body } = await service.fetch(
      `${url}?w=0&h=x&fit=zoom&dpr=9&q=101&fm=bmp&auto=fast&crop=feet&bg=red`,
    );
    assert.equal(status, 400);
    const paths = new Set(body.errors.map(({ path }: { path: string }) => path));
    const named = ["w", "h", "fit", "dpr", "q", "fm", "auto", "crop", "bg"];
    for (const name of named) assert.ok(paths.has(`?${name}`), name);
    for (const { message } of body.errors) assert.match(message, /^must (be|match) [^A-Z]/);
    const large = await service.fetch(`${url}?w=2000&h=100&dpr=3`);
    assert.equal(large.status, 400);
    assert.deepEqual(
      large.body.errors.map(({ path }: { path: string }) => path),
      ["?w"],
    );
  });
});

it("a render is the same picture for equivalent parameters", async () => {
  const asset = await newAsset(await newPicture().png().toBuffer());
  const same = [
    "w=60",
    "w=30&dpr=2",
    "w=60&h=40",
    "h=40&fit=max",
    "w=60&h=40&fit=crop",
    "w=60&q=9",
  ];
  const tags = new Set<unknown>();
  for (const query of same) tags.add((await look(`${asset.url}?${query}`)).headers.get("etag"));
  assert.equal(tags.size, 1);
  const rows = await service.db
    .selectFrom("asset_renders")
    .selectAll()
    .where("sha256", "=", asset.hash)
    .execute();
  assert.equal(rows.length, 1);
});

it("a render is the same for concurrent requests", async () => {
  const asset = await newAsset(await newPicture({ width: 900, height: 700 }).png().toBuffer());
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => look(`${asset.url}?w=500&fm=webp`)),
  );
  assert.equal(new Set(answers.map(({ headers }) => headers.get("etag"))).size, 1);
});

it("a render is rotated by its camera's orientation, in sRGB, without metadata", async () => {
  const bytes = await newPicture()
    .withExif({
      IFD0: { Make: "Camera", Artist: "Somebody", Orientation: "6" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "48/1 51/1 0/1" },
    })
    .withMetadata({ orientation: 6 })
    .withIccProfile("p3")
    .jpeg()
    .toBuffer();
  const asset = await newAsset(bytes);
  assert.deepEqual([asset.width, asset.height], [80, 120]);
  for (const fm of ["jpg", "webp", "png", "avif"]) {
    const { size, metadata } = await look(`${asset.url}?w=40&fm=${fm}`);
    assert.deepEqual(size, [40, 60]);
    assert.equal(metadata.exif, undefined, fm);
    assert.equal(metadata.icc, undefined, fm);
    assert.equal(metadata.xmp, undefined, fm);
    assert.equal(metadata.space, "srgb");
  }
});

it("an animation stays animated as WebP, and is a still picture in other formats", async () => {
  const frames = await newFrames(5);
  for (const format of ["gif", "webp"] as const) {
    const bytes = await sharp(frames, { join: { animated: true } })
      .toFormat(format)
      .toBuffer();
    const asset = await newAsset(bytes);
    assert.deepEqual([asset.width, asset.height], [40, 30]);
    const moving = await look(`${asset.url}?w=20`);
    assert.equal(moving.headers.get("content-type"), "image/webp");
    assert.equal(moving.metadata.pages, 5);
    assert.deepEqual(moving.size, [20, 15]);
    const auto = await look(`${asset.url}?w=20&fm=auto`, { accept: browser });
    assert.equal(auto.metadata.pages, 5);
    for (const crop of ["entropy", "edges", "left"])
      assert.equal((await look(`${asset.url}?w=9&h=9&fit=crop&crop=${crop}`)).metadata.pages, 5);
    const still = await look(`${asset.url}?w=20&fm=png`);
    assert.equal(still.metadata.pages ?? 1, 1);
    assert.deepEqual(still.size, [20, 15]);
  }
});

it("a vector picture stays one, and is sharp in another format", async () => {
  const id = randomUUID();
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><title>${id}</title><rect width="5" height="10" fill="#f00"/></svg>`;
  const asset = await newAsset(Buffer.from(text));
  const same = await fetchBytes(`${asset.url}?w=300&auto=format`, { accept: browser });
  assert.equal(same.headers.get("content-type"), "image/svg+xml");
  const drawn = await look(`${asset.url}?w=300&fm=png`);
  assert.deepEqual(drawn.size, [300, 300]);
  const { data, info } = await sharp(drawn.bytes).raw().toBuffer({ resolveWithObject: true });
  const redOf = (x: number) => data[(150 * info.width + x) * info.channels + 3];
  // An edge that was enlarged from ten pixels would be blurred over dozens.
  assert.equal(redOf(147), 255);
  assert.equal(redOf(152), 0);
});

it("a render does not exist for a file other than a picture", async () => {
  const { token } = await service.newUser();
  const pdf = `%PDF-1.4\n% ${randomUUID()}\ntrailer<<>>\nstartxref\n0\n%%EOF`;
  const [asset] = (await upload(token, [{ bytes: pdf }])).body;
  const { status, body } = await service.fetch(`${asset.url}?w=10`);
  assert.equal(status, 422);
  assert.match(body.detail, /not a picture/);
});

it("a render is created again when its file was lost", async () => {
  const asset = await newAsset(await newPicture().png().toBuffer());
  const first = await look(`${asset.url}?w=64`);
  await service.db
    .updateTable("asset_renders")
    .set({ digest: "0".repeat(32) })
    .where("sha256", "=", asset.hash)
    .execute();
  const again = await look(`${asset.url}?w=64`);
  assert.deepEqual(again.bytes, first.bytes);
});
