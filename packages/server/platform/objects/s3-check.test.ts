import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setCredentials, setEnvironment } from "../../../../test/stand-ins/credentials.ts";
import { openS3StandIn } from "../../../../test/stand-ins/s3.ts";
import { StartError } from "../start-error.ts";
import { openS3Objects } from "./s3.ts";

const signer = { accessKeyId: "KEY", secretAccessKey: "secret" };
const timeouts = { connectMs: 500, requestMs: 500, stallMs: 500 };

async function openServer(context: TestContext) {
  const opened = new AsyncDisposableStack();
  context.after(() => opened.disposeAsync());
  opened.use(setCredentials(signer));
  const s3 = opened.use(await openS3StandIn({ ...signer, bucket: "avow-test" }));
  const place = { bucket: "avow-test", prefix: "p/", endpoint: s3.url, region: "eu-west-1" };
  return { opened, s3, place: { ...place, pathStyle: true, timeouts } };
}

/** The message of a failed start, checked to contain no stack and no secret. */
async function adviceOf(opening: Promise<Disposable>): Promise<string> {
  const error: unknown = await opening.then(
    () => assert.fail("it was opened"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof StartError);
  assert.doesNotMatch(error.message, /secret|\n {4}at /);
  return error.message;
}

test("opens usable storage and leaves nothing in it", async (context) => {
  const { s3, place } = await openServer(context);
  using _objects = await openS3Objects(place);
  assert.deepEqual(
    s3.requests.map(({ method }) => method),
    ["GET", "PUT", "DELETE"],
  );
  assert.equal(s3.objects.size, 0);
});

test("names a missing bucket", async (context) => {
  const { place } = await openServer(context);
  const advice = await adviceOf(openS3Objects({ ...place, bucket: "other" }));
  assert.match(advice, /^S3_BUCKET does not exist: http:.* has no bucket other\. Create it/);
});

test("distinguishes an unknown key and a wrong secret from missing rights", async (context) => {
  const { opened, s3, place } = await openServer(context);
  opened.use(setCredentials({ accessKeyId: "NOBODY", secretAccessKey: "secret" }));
  assert.match(await adviceOf(openS3Objects(place)), /^AWS_ACCESS_KEY_ID.*\(InvalidAccessKeyId\)/);
  opened.use(setCredentials({ accessKeyId: "KEY", secretAccessKey: "wrong" }));
  const advice = await adviceOf(openS3Objects(place));
  assert.match(advice, /^AWS_ACCESS_KEY_ID and AWS_SECRET.*\(SignatureDoesNotMatch\)/);
  opened.use(setCredentials(signer));
  for (const [method, verb] of [
    ["GET", "list"],
    ["PUT", "put"],
    ["DELETE", "delete"],
  ] as const) {
    s3.fail({ method, times: 1 }, { kind: "error", status: 403, code: "AccessDenied" });
    const text = await adviceOf(openS3Objects(place));
    assert.match(text, new RegExp(`^S3_BUCKET cannot be used: .* may not ${verb} in avow-test`));
    assert.match(text, /s3:ListBucket.*under p\//);
  }
});

test("explains how to set missing credentials", async (context) => {
  const { opened, place } = await openServer(context);
  const nowhere = { AWS_EC2_METADATA_DISABLED: "true", HOME: "/nonexistent" };
  opened.use(setEnvironment(nowhere));
  const advice = await adviceOf(openS3Objects(place));
  assert.match(advice, /^OBJECTS=s3 has no credentials\. Set AWS_ACCESS_KEY_ID/);
});

test("names an endpoint that does not respond", async (context) => {
  const { s3, place } = await openServer(context);
  const gone = await openS3StandIn({ ...signer, bucket: "avow-test" });
  await gone[Symbol.asyncDispose]();
  const refused = await adviceOf(openS3Objects({ ...place, endpoint: gone.url }));
  assert.match(refused, /^S3_ENDPOINT cannot be reached: http:.*ECONNREFUSED/);
  const unknown = await adviceOf(openS3Objects({ ...place, endpoint: "http://s3.invalid" }));
  assert.match(unknown, /^S3_ENDPOINT cannot be reached: http:.*\(E(NOTFOUND|AI_AGAIN)/);
  s3.fail({ times: 9 }, { kind: "silence" });
  assert.match(
    await adviceOf(openS3Objects(place)),
    /^S3_ENDPOINT cannot be reached.*(ETIMEDOUT|TimeoutError)/,
  );
});

test("names the bucket of a wrong or missing region", async (context) => {
  const { opened, s3, place } = await openServer(context);
  s3.fail({ times: 1 }, { kind: "error", status: 301, code: "PermanentRedirect" });
  assert.match(await adviceOf(openS3Objects(place)), /^S3_REGION is not the region of the bucket/);
  opened.use(
    setEnvironment({
      AWS_ACCESS_KEY_ID: "KEY",
      AWS_SECRET_ACCESS_KEY: "secret",
      AWS_CONFIG_FILE: "/nonexistent",
    }),
  );
  const advice = await adviceOf(openS3Objects({ ...place, region: undefined }));
  assert.match(advice, /^S3_REGION is not set, nor is AWS_REGION/);
});

test("reports any other response as it is", async (context) => {
  const { s3, place } = await openServer(context);
  s3.fail({ times: 9 }, { kind: "error", status: 501, code: "NotImplemented" });
  const advice = await adviceOf(openS3Objects(place));
  assert.match(advice, /^S3_BUCKET cannot be used: list .* status 501 \(NotImplemented/);
});
