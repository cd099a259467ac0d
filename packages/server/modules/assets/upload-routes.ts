import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { paths } from "@avow/contract/urls";
import { toActorName } from "../../kernel/actor.ts";
import { Fault } from "../../platform/errors.ts";
import type { Http } from "../../http/http.ts";
import { drainBody, readFiles } from "../../http/files/multipart.ts";
import { answerWrite } from "../../http/write.ts";
import type { AssetsApp } from "./app.ts";
import { toUploadedOut } from "./asset-out.ts";
import { assertUserLimit, createAssets } from "./assets.ts";
import type { UploadedFile } from "./storage/candidates.ts";
import { toFileName, toReportedType } from "./names.ts";
import { UploadedAssetOut } from "./schema.ts";
import { FILE_BYTES_MAX, type Upload } from "./storage/spool.ts";
import { lockContents, inspectFiles, storeContents } from "./uploads.ts";

const CONTENT_TYPE = "multipart/form-data";
const FILES_MAX = 10;
const UPLOAD_MS_MAX = 10 * 60_000;

/** Registers the upload of files (wire section 7). */
export function registerUploadRoute(http: Http, app: AssetsApp): void {
  void http.register(async (scope: Http) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(CONTENT_TYPE, (_req, body, done) => done(null, body));
    scope.post(
      paths.assets,
      {
        schema: {
          tags: ["assets"],
          consumes: [CONTENT_TYPE],
          operationId: "uploadAssets",
          summary: "Upload files",
          description:
            "Up to 10 files of up to 20 MiB, in fields of any name: PNG, JPEG, GIF, WebP, AVIF, SVG or PDF, detected by content. Either all files are accepted, or none.",
          body: Type.Unsafe<unknown>({
            type: ["object"],
            properties: { file: { type: "string", format: "binary" } },
          }),
          response: { 200: Type.Array(UploadedAssetOut) },
        },
        // The body is a stream, which cannot be validated.
        validatorCompiler: () => () => true,
        config: { body: "stream", malformedBody: "route" },
      },
      (req, reply) => answerUpload(app, req, reply),
    );
  });
}

async function answerUpload(app: AssetsApp, req: FastifyRequest, reply: FastifyReply) {
  try {
    return await takeFiles(app, req, reply);
  } finally {
    drainBody(req.raw);
  }
}

async function takeFiles(app: AssetsApp, req: FastifyRequest, reply: FastifyReply) {
  const user = toActorName(req.actor);
  await assertUserLimit(app.db, { user, bytes: 0, bytesMax: app.userBytesMax });
  await using upload = app.spool.openUpload(user);
  const files = await receiveFiles(req, upload);
  const candidates = await inspectFiles(app, { user, upload }, files);
  // An Idempotency-Key covers the files.
  req.body = files.map(({ name, reportedType, size, sha256 }) => ({
    name,
    reportedType,
    size,
    sha256,
  }));
  const { undo } = await storeContents(app, candidates);
  try {
    return await answerWrite({ db: app.db, now: app.now, req, reply }, async (ctx) => {
      await lockContents(ctx.tx, app, candidates);
      const made = await createAssets(ctx, app, candidates);
      return made.map(({ asset, file }) =>
        toUploadedOut(asset, file.inspected.warnings, app.publicUrl),
      );
    });
  } catch (error) {
    await undo();
    throw error;
  }
}

async function receiveFiles(req: FastifyRequest, upload: Upload): Promise<UploadedFile[]> {
  if (!(req.body instanceof Readable))
    throw new Fault("unsupported-type", `Send files as ${CONTENT_TYPE}.`);
  const files = await readFiles<UploadedFile>({
    body: req.body,
    headers: req.headers,
    filesMax: FILES_MAX,
    fileBytesMax: FILE_BYTES_MAX,
    timeoutMs: UPLOAD_MS_MAX,
    receive: async ({ name, type, body }) => ({
      ...(await upload.receive(body)),
      name: toFileName(name),
      reportedType: toReportedType(type),
    }),
  });
  if (files.length === 0) throw new Fault("invalid", "Send at least one file.");
  return files;
}
