import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { describe, it } from "node:test";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { crc32, deflateSync, gzipSync } from "node:zlib";
import sharp from "sharp";
import { ZipFile } from "yazl";
import { service } from "../harness.ts";
import { type SentFile, newPicture, toForm, upload } from "./pictures.ts";

const WAIT_MS_MAX = 60_000;
const spool = join(service.config.dataDir, "uploads");
const stored = join(service.config.dataDir, "published", "assets");

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A PNG whose header may contradict its data. */
function toPng(width: number, height: number, raw: Buffer, beside: Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = chunk("IDAT", deflateSync(raw, { level: 9 }));
  const end = chunk("IEND", Buffer.alloc(0));
  return Buffer.concat([signature, chunk("IHDR", header), ...beside, data, end]);
}

async function toZip(name: string, bytes: Buffer): Promise<Buffer> {
  const zip = new ZipFile();
  zip.addBuffer(bytes, name);
  zip.end();
  return buffer(zip.outputStream);
}

const picture = () => newPicture();
const png = () => picture().png().toBuffer();
const jpeg = () => picture().jpeg().toBuffer();
const gif = () => picture().gif().toBuffer();
const webp = () => picture().webp().toBuffer();
const avif = () => picture().avif().toBuffer();
const pdf = Buffer.from(`%PDF-1.4\n% ${randomUUID()}\ntrailer<<>>\nstartxref\n0\n%%EOF\n`);
const svg = (inner: string, before = "") =>
  Buffer.from(`${before}<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`);
async function concat(...parts: (Promise<Buffer> | Buffer | string)[]): Promise<Buffer> {
  const all: Buffer[] = [];
  for (const part of parts) all.push(Buffer.from(await part));
  return Buffer.concat(all);
}
const html = "<html><script>alert(1)</script></html>";
const laughs = Array.from(
  { length: 9 },
  (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(9)}">`,
);
const copies = Array.from(
  { length: 20 },
  (_, at) => `<g id="g${at + 1}">${`<use href="#g${at}"/>`.repeat(10)}</g>`,
);
/** An animation of two frames that declares 60,000 by 60,000 pixels. */
const frameOfGif = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 1, 0];
const sizeOfGif = [0x60, 0xea, 0x60, 0xea, 0, 0, 0];
const wideGif = Buffer.concat([
  Buffer.from("GIF89a"),
  Buffer.from([...sizeOfGif, ...frameOfGif, ...frameOfGif, 0x3b]),
]);

const refused: Record<string, [status: number, reason: RegExp, bytes: () => unknown]> = {
  "a ZIP": [415, /not PNG/, () => toZip("a.png", Buffer.alloc(1e6))],
  "a PNG that decompresses to far more than declared": [
    422,
    /unpacks to more/,
    () => toPng(10, 10, Buffer.alloc(60_000_000)),
  ],
  "a PNG of 100,000 by 100,000 pixels": [
    422,
    /100000 x 100000 pixels/,
    () => toPng(100_000, 100_000, Buffer.alloc(1_000)),
  ],
  "a PNG that decompresses to less than declared": [
    422,
    /damaged/,
    () => toPng(90, 90, Buffer.alloc(99)),
  ],
  "an animated PNG over the pixel limit of all frames": [
    422,
    /in 60000 pages/,
    () => {
      const frames = Buffer.alloc(8);
      frames.writeUInt32BE(60_000, 0);
      return toPng(100, 100, Buffer.alloc(30_100), [chunk("acTL", frames)]);
    },
  ],
  "a GIF of 60,000 by 60,000 pixels": [422, /60000 x 60000 pixels/, () => wideGif],
  "an SVG of 100,000 by 100,000 pixels": [
    422,
    /100000 x 100000 pixels/,
    () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1e5" height="1e5"/>'),
  ],
  "an empty SVG": [422, /cannot be drawn/, () => svg("")],
  "an SVG in gzip": [415, /not PNG/, () => gzipSync(svg("<path/>"))],
  "a PNG and a ZIP": [
    415,
    /bytes after its end/,
    () => concat(png(), toZip("a", Buffer.from("a"))),
  ],
  "a JPEG and HTML": [415, /bytes after its end/, () => concat(jpeg(), html)],
  "a GIF and JavaScript": [415, /bytes after its end/, () => concat(gif(), "=1;alert(1)")],
  "a WebP and HTML": [415, /bytes after its end/, () => concat(webp(), html)],
  "an AVIF and HTML": [415, /not a picture/, () => concat(avif(), html)],
  "a PDF and HTML": [415, /bytes after its end/, () => concat(pdf, html)],
  "a PDF that begins with a JPEG": [415, /bytes after its end/, () => concat(jpeg(), pdf)],
  "HTML before a PNG": [415, /not PNG/, () => concat(html, png())],
  "spaces before a PDF": [415, /not PNG/, () => concat("   \n", pdf)],
  HTML: [415, /not PNG/, () => `<!doctype html>${html}`],
  XML: [415, /not PNG/, () => "<?xml version='1.0'?><feed/>"],
  text: [415, /not PNG/, () => "a text of more than twenty characters"],
  "two bytes": [415, /not PNG/, () => "ab"],
  "a truncated JPEG": [422, /truncated/, async () => (await jpeg()).subarray(0, -200)],
  "a truncated JPEG with an end marker": [
    422,
    /truncated/,
    async () => {
      const noise = Buffer.from(Array.from({ length: 30_000 }, (_, at) => (at * 7919) % 251));
      const raw = { width: 100, height: 100, channels: 3 } as const;
      const whole = await sharp(noise, { raw }).jpeg().toBuffer();
      return concat(whole.subarray(0, whole.length / 2), Buffer.from([0xff, 0xd9]));
    },
  ],
  "a truncated PNG": [422, /truncated/, async () => (await png()).subarray(0, -20)],
  "a truncated GIF": [422, /truncated/, async () => (await gif()).subarray(0, -9)],
  "a truncated WebP": [422, /truncated/, async () => (await webp()).subarray(0, -9)],
  "a truncated AVIF": [422, /truncated/, async () => (await avif()).subarray(0, -9)],
  "a truncated PDF": [422, /truncated/, () => pdf.subarray(0, -9)],
  "a truncated SVG": [422, /cannot be read/, () => svg("<path/>").subarray(0, -9)],
  "an SVG with an entity": [
    422,
    /cannot be read/,
    () => svg("<text>&x;</text>", '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
  ],
  "a billion laughs": [
    422,
    /cannot be read/,
    () => svg("&l9;", `<!DOCTYPE svg [<!ENTITY l0 "ha">${laughs.join("")}]>`),
  ],
  "a billion copies": [
    422,
    /draws more than/,
    () => svg(`<defs><path id="g0"/>${copies.join("")}</defs><use href="#g20"/>`),
  ],
  "an SVG with a circular reference": [
    422,
    /circular reference/,
    () => svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'),
  ],
  "an SVG of 50,000 levels": [
    422,
    /nested too deeply/,
    () => svg(`${"<g>".repeat(50_000)}${"</g>".repeat(50_000)}`),
  ],
  "an empty file": [400, /empty/, () => ""],
  "more than 20 MiB": [413, /20 MiB/, () => Buffer.alloc(20 * 1024 * 1024 + 1)],
};

const countFiles = () => (existsSync(stored) ? readdirSync(stored).length : 0);

describe("rejects invalid files with the reason, and stores nothing", async () => {
  const { token } = await service.newUser();
  const assertNothing = async (before: number) => {
    const { body } = await service.fetch("/v1/assets", { token });
    assert.deepEqual(body, []);
    assert.equal(countFiles(), before);
    assert.deepEqual(readdirSync(spool), []);
  };

  for (const [name, [status, reason, make]] of Object.entries(refused))
    it(name, async () => {
      const before = countFiles();
      const bytes = (await make()) as SentFile["bytes"];
      const answer = await upload(token, [{ bytes, name: "a.png", type: "image/png" }]);
      assert.equal(answer.status, status, JSON.stringify(answer.body));
      assert.match(answer.body.detail, reason);
      await assertNothing(before);
    });

  it("names the bad file among good ones", async () => {
    const before = countFiles();
    const files = [{ bytes: await png() }, { bytes: "text instead of a picture", name: "b.png" }];
    const answer = await upload(token, [...files, { bytes: await jpeg() }]);
    assert.equal(answer.status, 415);
    assert.match(answer.body.detail, /^b\.png: /);
    await assertNothing(before);
  });

  it("rejects eleven files, or none", async () => {
    const before = countFiles();
    const bytes = await png();
    const eleven = await upload(
      token,
      Array.from({ length: 11 }, () => ({ bytes })),
    );
    assert.equal(eleven.status, 413, JSON.stringify(eleven.body));
    assert.match(eleven.body.detail, /10 files/);
    const none = await upload(token, []);
    assert.equal(none.status, 400, JSON.stringify(none.body));
    await assertNothing(before);
  });

  it("rejects a body that is not a form, or is compressed", async () => {
    const before = countFiles();
    const { contentType } = toForm([]);
    const send = (body: string, headers: Record<string, string>) =>
      service.fetch("/v1/assets", { token, body, headers });
    assert.equal((await send("{}", { "content-type": "application/json" })).status, 415);
    assert.equal((await send("what?", { "content-type": contentType })).status, 400);
    assert.equal((await send("what?", { "content-type": "multipart/form-data" })).status, 400);
    const packed = { "content-type": contentType, "content-encoding": "gzip" };
    assert.equal((await send("what?", packed)).status, 415);
    await assertNothing(before);
  });

  it("discards an upload that is aborted", async () => {
    const before = countFiles();
    const { body, contentType } = toForm([{ bytes: Buffer.alloc(3_000_000, 7) }]);
    const sent = request(`${service.url}/v1/assets`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": contentType,
        "content-length": String(body.length),
      },
    });
    sent.on("error", () => undefined);
    sent.write(body.subarray(0, 1_000_000));
    for (const until = Date.now() + WAIT_MS_MAX; readdirSync(spool).length === 0; await delay(5))
      assert.ok(Date.now() < until, "the upload begins");
    sent.destroy();
    for (const until = Date.now() + WAIT_MS_MAX; readdirSync(spool).length > 0; await delay(5))
      assert.ok(Date.now() < until, "nothing remains");
    await assertNothing(before);
  });

  it("rejects an endless body: in a file, before the first one, or between them", async () => {
    const before = countFiles();
    const start = `--x\r\ncontent-disposition: form-data; name="a"; filename="a.png"\r\n\r\n`;
    const field = `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n`;
    for (const [first, then] of [
      [start, "0".repeat(65_536)],
      ["", "0".repeat(65_536)],
      ["", field.repeat(1_000)],
    ]) {
      const status = await sendEndlessly(token, first ?? "", then ?? "");
      assert.equal(status, 413);
    }
    await assertNothing(before);
  });
});

/** Sends until there is a response; returns its status. */
function sendEndlessly(token: string, first: string, then: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${service.url}/v1/assets`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "multipart/form-data; boundary=x",
        "transfer-encoding": "chunked",
      },
    });
    let isAnswered = false;
    const writeMore = (): void => {
      while (!sent.destroyed && sent.write(then));
    };
    sent.on("response", (answer) => {
      isAnswered = true;
      sent.off("drain", writeMore);
      answer.resume();
      answer.on("end", () => {
        sent.destroy();
        resolve(answer.statusCode);
      });
    });
    sent.on("error", (error) => void (isAnswered || reject(error)));
    sent.on("drain", writeMore);
    sent.write(first);
    writeMore();
  });
}
