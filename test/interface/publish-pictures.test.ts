import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { it } from "node:test";
import sharp from "sharp";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { fetchBytes, newFrames, newPicture, uploadOne } from "./pictures.ts";
import { getFile, newCookies, newSite, publishAndWait } from "./publishing.ts";

interface Render {
  url: string;
  width: number;
  height: number;
  type: string;
}

const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** A render under the project's own path, named by the hash of its bytes and immutable. */
async function assertPublished(projectId: string, { url, width, height, type }: Render) {
  const { status, bytes, headers } = await fetchBytes(url);
  assert.equal(status, 200, url);
  const name = new URL(url).pathname.split("/").at(-1)?.split(".")[0];
  assert.equal(name, hashOf(bytes));
  // Another node of the run may have published it, under its own host.
  assert.ok(new URL(url).pathname.startsWith(`/cdn/${projectId}/`), url);
  assert.equal(headers.get("content-type"), type);
  assert.equal(headers.get("cache-control"), "public, max-age=31536000, immutable");
  const metadata = await sharp(bytes).metadata();
  assert.deepEqual([metadata.width, metadata.pageHeight ?? metadata.height], [width, height]);
  return metadata;
}

const check = (token: string, projectId: string) =>
  service.fetch(hrefOf("", paths.publishCheck, { projectId }), { token });

const textOf = async (bytes: Promise<Buffer>) => ({ bytes: await bytes });

it("publishes pictures and files that a project references by id in the sizes that the widget shows", async () => {
  const { token, project } = await newSite();
  const projectId = project.id;
  const [photo, icon, small, moving] = [
    await uploadOne(token, await textOf(newPicture({ width: 600, height: 300 }).jpeg().toBuffer())),
    await uploadOne(token, await textOf(newPicture({ width: 90, height: 180 }).png().toBuffer())),
    await uploadOne(token, await textOf(newPicture({ width: 20, height: 20 }).png().toBuffer())),
    await uploadOne(
      token,
      await textOf(
        sharp(await newFrames(3), { join: { animated: true } })
          .gif()
          .toBuffer(),
      ),
    ),
  ];
  const drawing = await uploadOne(token, {
    bytes: `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path id="p${randomUUID()}" d="M0 0h8v8z"/></svg>`,
  });
  const text = `%PDF-1.4\n% ${randomUUID()}\ntrailer<<>>\nstartxref\n0\n%%EOF`;
  const terms = await uploadOne(token, { bytes: text });
  await newCookies(token, projectId, {
    name: "with pictures",
    steps: [
      {
        name: "one",
        layout: "category",
        image: photo.id,
        vendors: [
          { name: "a", title: "A", image: icon.id },
          { name: "b", title: "B", image: drawing.id },
          { name: "c", title: "C", image: "https://shop.example/c.png" },
          { name: "d", title: "D", image: small.id },
          { name: "e", title: "E", image: moving.id },
        ],
      },
    ],
  });
  const json = { projectId, title: "Letter", picture: icon.id, language: "en" };
  await service.fetch("/v1/vault/processings", { token, json });
  const contract = { projectId, title: "Terms", file: terms.id, language: "en" };
  await service.fetch("/v1/vault/contracts", { token, json: contract });

  await publishAndWait(token, projectId, { force: true });
  const { body: file } = await getFile(projectId);
  const step = file.cookies.find(({ name }: { name: string }) => name === "with pictures").steps[0];
  const sizesOf = (renders: Render[]) => renders.map(({ width, height }) => [width, height]);
  assert.deepEqual(sizesOf(step.renders), [
    [72, 36],
    [144, 72],
  ]);
  assert.equal(step.image, step.renders[1].url);
  const [a, b, c, d, e] = step.vendors;
  assert.deepEqual(sizesOf(a.renders), [
    [16, 32],
    [32, 64],
  ]);
  assert.deepEqual(sizesOf(b.renders), [[8, 8]]);
  assert.equal(b.renders[0].type, "image/svg+xml");
  assert.deepEqual([c.image, c.renders], ["https://shop.example/c.png", undefined]);
  assert.deepEqual(sizesOf(d.renders), [[20, 20]]);
  assert.equal(e.image, e.renders.at(-1).url);
  const [processing] = file.processings;
  assert.deepEqual(sizesOf(processing.renders), [
    [28, 56],
    [56, 112],
  ]);
  assert.equal(processing.picture, processing.renders[1].url);
  const shown: Render[] = [step, a, b, d, processing].flatMap(({ renders }) => renders);
  for (const render of shown) await assertPublished(projectId, render);
  const animation = await assertPublished(projectId, e.renders.at(-1));
  assert.equal(animation.pages, 3);
  const url: string = file.contracts[0].file;
  assert.equal(new URL(url).pathname, `/cdn/${projectId}/${hashOf(Buffer.from(text))}.pdf`);
  const pdf = await fetchBytes(url);
  assert.equal(pdf.bytes.toString(), text);
  assert.match(pdf.headers.get("content-security-policy") ?? "", /sandbox/);

  // Repeated references have the same result.
  const { body: checked } = await check(token, projectId);
  assert.deepEqual(checked.asksAgain.items, []);
  const place = { projectId, from: "live", to: "next" };
  const { body: diff } = await service.fetch(hrefOf("", paths.publicationsDiff, place), { token });
  assert.deepEqual(diff.changes, []);
  const unchanged = await publishAndWait(token, projectId, { force: true });
  assert.match(unchanged.steps[0].message, /Nothing has changed/);
  const { body: again } = await getFile(projectId);
  assert.deepEqual([again.cookies, again.contracts], [file.cookies, file.contracts]);
});

it("keeps the live version when an asset is deleted; the check reports it, and the next version omits it", async () => {
  const { token, project, cookies } = await newSite();
  const projectId = project.id;
  const asset = await uploadOne(token, await textOf(newPicture().png().toBuffer()));
  const steps = (image: string | undefined) => [
    { name: "welcome", layout: "welcome", title: "Hello", message: "<p>Cookies?</p>", image },
  ];
  const put = (image: string | undefined) =>
    service.fetch(`/v1/vault/cookies/${cookies.id}`, {
      method: "PATCH",
      token,
      json: { steps: steps(image) },
    });
  await put(asset.id);
  const before = await check(token, projectId);
  const rulesOf = ({ body }: typeof before) =>
    body.findings.map(({ rule, path }: { rule: string; path: string }) => `${rule} ${path}`);
  const finding = "missing-picture /cookies/0/steps/0/image";
  assert.equal(rulesOf(before).includes(finding), false);
  await publishAndWait(token, projectId, { force: true });
  assert.equal(rulesOf(await check(token, projectId)).includes(finding), false);
  const { body: live } = await getFile(projectId);
  const { image } = live.cookies[0].steps[0];

  await put(undefined);
  const path = `/v1/assets/${asset.id}`;
  assert.equal((await service.fetch(path, { method: "DELETE", token })).status, 204);
  await put(asset.id);
  assert.equal((await fetchBytes(image)).status, 200);
  assert.ok(rulesOf(await check(token, projectId)).includes(finding));
  const job = await publishAndWait(token, projectId, { force: true });
  assert.match(job.steps[0].message, /1 uploaded file is deleted and left out/);
  const { body: next } = await getFile(projectId);
  assert.equal("image" in next.cookies[0].steps[0], false);
  assert.equal((await fetchBytes(image)).status, 200);
});
