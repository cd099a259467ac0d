import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { openCloudFrontStandIn } from "../../../../test/stand-ins/cloudfront.ts";
import { setCredentials, setEnvironment } from "../../../../test/stand-ins/credentials.ts";
import { openCloudFrontCdn, toCloudFrontPath } from "./cloudfront.ts";

const signer = { accessKeyId: "KEY", secretAccessKey: "secret" };
const log = { warn: () => undefined };
const times = { connectMs: 1_000, requestMs: 1_000, fullPauseMs: 10 };

async function openNetwork(context: TestContext) {
  const opened = new AsyncDisposableStack();
  context.after(() => opened.disposeAsync());
  const distributionId = "E2STANDIN";
  const cloudFront = opened.use(await openCloudFrontStandIn({ ...signer, distributionId }));
  opened.use(setCredentials(signer, { AWS_ENDPOINT_URL_CLOUDFRONT: cloudFront.url }));
  const cdn = opened.use(await openCloudFrontCdn({ distributionId, log, times }));
  return { opened, cloudFront, cdn };
}

test("uses the job's reference, so that a repeated step is one invalidation", async (context) => {
  const { cloudFront, cdn } = await openNetwork(context);
  const reference = "0123456789abcdef01234567";
  const first = await cdn.invalidatePaths({ paths: ["/b.json", "/a.json"], reference });
  const again = await cdn.invalidatePaths({ paths: ["/a.json", "/b.json"], reference });
  assert.equal(again.id, first.id);
  assert.deepEqual(cloudFront.invalidations, [
    { id: first.id, reference, paths: ["/a.json", "/b.json"] },
  ]);
  assert.match(first.note, new RegExp(`2 paths .*${first.id}`));
});

test("retries an invalidation whose response is lost, and creates it once", async (context) => {
  const { cloudFront, cdn } = await openNetwork(context);
  cloudFront.fail(2, "lost");
  const { id } = await cdn.invalidatePaths({ paths: ["/a.json"], reference: "job" });
  assert.deepEqual(cloudFront.invalidations, [{ id, reference: "job", paths: ["/a.json"] }]);
});

test("extends a reference that was used with other paths", async (context) => {
  const { cloudFront, cdn } = await openNetwork(context);
  const first = await cdn.invalidatePaths({ paths: ["/a.json"], reference: "job" });
  const moved = { paths: ["/cdn/a.json"], reference: "job" };
  const second = await cdn.invalidatePaths(moved);
  assert.notEqual(second.id, first.id);
  assert.equal((await cdn.invalidatePaths(moved)).id, second.id);
  assert.deepEqual(
    cloudFront.invalidations.map(({ paths }) => paths),
    [["/a.json"], ["/cdn/a.json"]],
  );
});

test("sends the digest of a long reference, or of one with spaces", async (context) => {
  const { cloudFront, cdn } = await openNetwork(context);
  for (const reference of ["unpublish 0123 2026-01-01", "x".repeat(1_000), "é"])
    await cdn.invalidatePaths({ paths: ["/a.json"], reference });
  for (const { reference } of cloudFront.invalidations) assert.match(reference, /^[0-9a-f]{64}$/);
  assert.equal(cloudFront.invalidations.length, 3);
});

test("retries transient failures: 500, throttling, a reset connection", async (context) => {
  const { cloudFront, cdn } = await openNetwork(context);
  const before = cloudFront.requests();
  cloudFront.fail(1, { status: 500, code: "InternalError" });
  cloudFront.fail(1, { status: 400, code: "Throttling" });
  cloudFront.fail(1, "cut");
  await cdn.invalidatePaths({ paths: ["/a.json"], reference: "job" });
  assert.deepEqual([cloudFront.requests() - before, cloudFront.invalidations.length], [4, 1]);
});

test("retries while too many invalidations are in progress, then fails", async (context) => {
  const { cloudFront, cdn } = await openNetwork(context);
  const full = { status: 400, code: "TooManyInvalidationsInProgress" };
  cloudFront.fail(3, full);
  await cdn.invalidatePaths({ paths: ["/a.json"], reference: "job" });
  assert.equal(cloudFront.invalidations.length, 1);
  cloudFront.fail(5, full);
  const refused = cdn.invalidatePaths({ paths: ["/a.json"], reference: "next" });
  await assert.rejects(refused, { name: "TooManyInvalidationsInProgress" });
});

test("does not retry a rejection, and throws CloudFront's error", async (context) => {
  const { cloudFront, cdn } = await openNetwork(context);
  const before = cloudFront.requests();
  cloudFront.fail(1, { status: 403, code: "AccessDenied" });
  const refused = cdn.invalidatePaths({ paths: ["/a.json"], reference: "job" });
  await assert.rejects(refused, { name: "AccessDenied" });
  assert.equal(cloudFront.requests() - before, 1);
});

test("encodes paths as CloudFront requires", async (context) => {
  assert.equal(toCloudFrontPath("/0123/a-b_c.json.br"), "/0123/a-b_c.json.br");
  assert.equal(toCloudFrontPath("/a~b*{c}|%20%zz"), "/a%7Eb%2A%7Bc%7D%7C%20%25zz");
  const { cloudFront, cdn } = await openNetwork(context);
  await cdn.invalidatePaths({ paths: ["/a&b<c>'d.json"], reference: "job" });
  assert.deepEqual(cloudFront.invalidations[0]?.paths, ["/a&b%3Cc%3E'd.json"]);
});

test("reports wrong settings at the start", async (context) => {
  const { opened, cloudFront } = await openNetwork(context);
  const none = openCloudFrontCdn({ distributionId: "EOTHER", log, times });
  await assert.rejects(none, { name: "StartError", message: /^CLOUDFRONT_DISTRIBUTION_ID is not/ });
  const endpoint = { AWS_ENDPOINT_URL_CLOUDFRONT: cloudFront.url };
  opened.use(setCredentials({ ...signer, secretAccessKey: "wrong" }, endpoint));
  const refused = openCloudFrontCdn({ distributionId: "E2STANDIN", log, times });
  await assert.rejects(refused, { name: "StartError", message: /^AWS_ACCESS_KEY_ID.*rejected/ });
  opened.use(
    setEnvironment({ ...endpoint, AWS_EC2_METADATA_DISABLED: "true", HOME: "/nonexistent" }),
  );
  const nobody = openCloudFrontCdn({ distributionId: "E2STANDIN", log, times });
  await assert.rejects(nobody, { name: "StartError", message: /^CDN=cloudfront has no cred/ });
  assert.equal(cloudFront.invalidations.length, 0);
});

test("starts with credentials that may invalidate but not read the distribution", async (context) => {
  const { cloudFront } = await openNetwork(context);
  cloudFront.fail(1, { status: 403, code: "AccessDenied" });
  const logged: string[] = [];
  const warn = (_fields: object, message: string) => void logged.push(message);
  const options = { distributionId: "E2STANDIN", log: { warn }, times };
  using cdn = await openCloudFrontCdn(options);
  assert.deepEqual(logged, ["CloudFront distribution not checked"]);
  await cdn.invalidatePaths({ paths: ["/a.json"], reference: "job" });
  assert.equal(cloudFront.invalidations.length, 1);
});
