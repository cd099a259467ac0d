import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { type CloudFrontStandIn, openCloudFrontStandIn } from "../stand-ins/cloudfront.ts";
import { setCredentials } from "../stand-ins/credentials.ts";
import { type S3StandIn, openS3StandIn } from "../stand-ins/s3.ts";
import { type OneSite, openOneSite, pollUntil } from "./one-site.ts";

const signer = { accessKeyId: "KEY", secretAccessKey: "secret" };
const bucket = "avow-published";
const distributionId = "E2STANDIN";

describe("publishing to S3 behind CloudFront", () => {
  const opened = new AsyncDisposableStack();
  let s3: S3StandIn;
  let cloudFront: CloudFrontStandIn;
  let site: OneSite;
  let paths: readonly string[];
  before(async () => {
    s3 = opened.use(await openS3StandIn({ ...signer, bucket }));
    cloudFront = opened.use(await openCloudFrontStandIn({ ...signer, distributionId }));
    opened.use(setCredentials(signer, { AWS_ENDPOINT_URL_CLOUDFRONT: cloudFront.url }));
    const place = {
      S3_BUCKET: bucket,
      S3_ENDPOINT: s3.url,
      S3_PREFIX: "live",
      S3_PATH_STYLE: "on",
    };
    const network = { CDN: "cloudfront", CLOUDFRONT_DISTRIBUTION_ID: distributionId };
    // Visitors read through the service here.
    site = opened.use(await openOneSite({ OBJECTS: "s3", ...place, ...network }));
    const served = `/cdn/${site.projectId}.json`;
    paths = [served, `${served}.br`, `${served}.gz`];
  });
  after(() => opened.disposeAsync());

  test("stores a publication in the bucket with its codings, and serves it from there", async () => {
    const job = await site.publish();
    assert.deepEqual([job.status, job.message], ["Done", undefined]);
    const key = `live/${site.projectId}.json`;
    const type = { "content-type": "application/json; charset=utf-8" };
    const kept = { ...type, "cache-control": "public, max-age=60, stale-while-revalidate=600" };
    const plain = s3.objects.get(key);
    assert.deepEqual(plain?.headers, kept);
    assert.equal(JSON.parse(String(plain?.bytes)).jobId, job.id);
    const br = s3.objects.get(`${key}.br`);
    const gz = s3.objects.get(`${key}.gz`);
    assert.deepEqual(br?.headers, { ...kept, "content-encoding": "br" });
    assert.deepEqual(gz?.headers, { ...kept, "content-encoding": "gzip" });
    assert.ok(br && plain && brotliDecompressSync(br.bytes).equals(plain.bytes));
    assert.ok(gz && gunzipSync(gz.bytes).equals(plain.bytes));
    const immutableFile = s3.objects.get(`live/${site.projectId}/${job.hash}.json`);
    assert.equal(immutableFile?.headers["cache-control"], "public, max-age=31536000, immutable");

    const read = await fetch(job.url, { headers: { "accept-encoding": "br" } });
    assert.equal(read.headers.get("content-encoding"), "br");
    assert.equal(read.headers.get("cache-control"), kept["cache-control"]);
    assert.equal(read.headers.get("etag"), br.etag);
    assert.equal(await read.text(), String(plain.bytes));
    const again = await fetch(job.url, {
      headers: { "accept-encoding": "br", "if-none-match": br.etag },
    });
    assert.equal(again.status, 304);
  });

  test("invalidates CloudFront once, by the job's id, though the response is lost and the step fails", async () => {
    // The job retries this, not the SDK.
    cloudFront.fail(1, { status: 403, code: "AccessDenied" });
    cloudFront.fail(1, "lost");
    await site.rename("Shop, invalidated");
    const job = await site.publish();
    assert.deepEqual([job.status, job.message], ["Done", undefined]);
    const [made, ...more] = cloudFront.invalidations.filter(
      ({ reference }) => reference === job.id,
    );
    assert.deepEqual([made?.paths, more], [paths, []]);
    assert.match(job.steps.at(-1)?.message ?? "", new RegExp(`3 paths .*${made?.id}`));
  });

  test("removes the served file from the bucket and the network, in every coding, on unpublishing", async () => {
    const { url } = await site.publish();
    const known = cloudFront.invalidations.length;
    await site.unpublish();
    const isServed = (key: string) => key.startsWith(`live/${site.projectId}.json`);
    await pollUntil("the end of the files", () =>
      [...s3.objects.keys()].some(isServed) ? undefined : true,
    );
    assert.equal((await fetch(url)).status, 404);
    const invalidation = await pollUntil("its invalidation", () => cloudFront.invalidations[known]);
    for (const path of paths) assert.ok(invalidation.paths.includes(path));
  });

  test("returns 503 with Retry-After for a published file while the storage does not respond", async () => {
    const { url } = await site.publish();
    s3.fail({ method: "GET", times: 4 }, { kind: "error", status: 500, code: "InternalError" });
    const away = await fetch(url, { headers: { "accept-encoding": "identity" } });
    assert.deepEqual([away.status, away.headers.get("retry-after")], [503, "1"]);
    assert.equal((await readFile(url)).projectId, site.projectId);
  });

  test("delays a publication when the storage fails, and never exposes a part of it", async () => {
    const first = await site.publish();
    const live = await readFile(first.url);
    await site.rename("Shop, renamed");
    s3.fail({ method: "PUT", times: 3 }, { kind: "error", status: 500, code: "InternalError" });
    const hold = s3.hold({ method: "PUT", key: /json$/ });
    const publishing = site.publish();
    await hold.waiting(1);
    assert.equal((await readFile(first.url)).jobId, live.jobId);
    hold.release();
    const second = await publishing;
    assert.deepEqual([second.status, second.message], ["Done", undefined]);
    assert.deepEqual(
      await readFile(second.url).then(({ jobId, projectName }) => [jobId, projectName]),
      [second.id, "Shop, renamed"],
    );
  });
});

async function readFile(url: string) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  return (await answer.json()) as { jobId: string; projectId: string; projectName: string };
}
