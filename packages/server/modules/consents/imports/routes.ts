import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import { toActorName, toScope } from "../../../kernel/actor.ts";
import { planesOf, within } from "../../../platform/db/buckets/buckets.ts";
import { Fault } from "../../../platform/errors.ts";
import { CursorQueryIn, cursorListOf } from "../../../http/lists/cursors.ts";
import type { Http } from "../../../http/http.ts";
import { answerDataWrite } from "../../../http/write.ts";
import { getProject } from "../../vault/documents/access.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import { toImportOut } from "./answers.ts";
import { formats } from "./formats/formats.ts";
import {
  type Importing,
  assertMayImport,
  cancelImport,
  getImport,
  listImports,
  requestImport,
  sendImport,
} from "./imports.ts";
import { ImportOut, ImportParams, ImportQuery, ProjectParams } from "./schema.ts";

const tags = ["app"];
const RETRY_AFTER = { "retry-after": "1" };
const contentTypes = formats.flatMap((format) => format.contentTypes);

export type ImportRoutes = Pick<
  Importing,
  "db" | "buckets" | "jobs" | "files" | "storage" | "waitingMax" | "now" | "publicUrl"
>;

/** Registers imports (wire section 4). */
export function registerImportRoutes(http: Http, app: ImportRoutes): void {
  void http.register(async (scope: Http) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser([...contentTypes], (_req, body, done) => done(null, body));
    registerRequest(scope, app);
  });
  registerReads(http, app);
  registerCancel(http, app);
}

function registerRequest(http: Http, app: ImportRoutes): void {
  http.post(
    paths.imports,
    {
      schema: {
        tags,
        consumes: [...contentTypes],
        operationId: "importConsents",
        summary: "Import consents from a file",
        description:
          "CSV (`;`, the columns token, collection, identifier, accept, date, value, preferences) or NDJSON, of any size, optionally with `Content-Encoding: gzip`. Returns a job once the file is received; poll `links.self`. Importing the same file twice adds nothing.",
        params: ProjectParams,
        querystring: ImportQuery,
        body: Type.Unsafe<Readable>({ description: "The file." }),
        response: { 202: ImportOut },
      },
      config: { body: "stream", malformedBody: "route" },
    },
    async (req, reply) => {
      const { projectId } = req.params;
      const { waitingMax, publicUrl } = app;
      const own = await within(app, projectId);
      await assertMayImport(own, toScope(req.actor), { projectId, waitingMax });
      const id = newDocumentId(app.now());
      const given = { projectId, id, format: formatOf(req), dryRun: req.query.dryRun };
      using reservation = await app.storage.openReservation(app.buckets, toActorName(req.actor));
      const { take } = reservation;
      const upload = await app.files.receive(id, bodyOf(req), { isGzip: isGzip(req), take });
      // The idempotency fingerprint covers the uploaded file.
      req.body = { ...given, id: undefined, ...upload } as never;
      try {
        const answer = await answerDataWrite(
          {
            ...own,
            req,
            reply,
            status: 202,
            headers: (made: ImportOut) => ({ ...RETRY_AFTER, location: made.links.self }),
          },
          async (ctx) =>
            toImportOut(await requestImport(ctx, app, { ...given, upload }), publicUrl),
        );
        // A repeated request, answered from the first one: this copy of the file is not needed.
        if (answer.id !== id) await app.files.remove(id);
        else
          await sendImport(app, { projectId, id }).catch((err: unknown) => {
            req.log.warn({ err, importId: id }, "import not queued yet");
          });
        return answer;
      } catch (error) {
        await app.files.remove(id);
        throw error;
      }
    },
  );
}

function formatOf(req: FastifyRequest): string {
  const type = (req.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const format = formats.find((one) => one.contentTypes.includes(type));
  if (!format) throw new Fault("unsupported-type", `Send one of ${contentTypes.join(", ")}.`);
  return format.name;
}

function bodyOf({ body }: { body: unknown }): Readable {
  if (body instanceof Readable) return body;
  throw new Fault("invalid", "Send the file as the body.");
}

function isGzip(req: FastifyRequest): boolean {
  const encoding = (req.headers["content-encoding"] ?? "identity").toLowerCase();
  if (encoding === "gzip") return true;
  if (encoding === "identity") return false;
  throw new Fault("unsupported-type", "Send the file without a content encoding, or with gzip.");
}

function registerReads(http: Http, app: ImportRoutes): void {
  const { publicUrl } = app;
  http.get(
    paths.imports,
    {
      schema: {
        tags,
        operationId: "listImports",
        summary: "List a project's imports, newest first",
        description: "Running, waiting and finished ones.",
        params: ProjectParams,
        querystring: CursorQueryIn,
        response: { 200: cursorListOf(ImportOut) },
      },
    },
    async (req) => {
      const { projectId } = req.params;
      const { limit, cursor } = req.query;
      const planes = await planesOf(app, projectId);
      const page = await listImports(planes, toScope(req.actor), { projectId, limit, cursor });
      const at = (here: string | undefined) =>
        hrefOf(publicUrl, paths.imports, { projectId }, { limit, cursor: here });
      return {
        items: page.items.map((row) => toImportOut(row, publicUrl)),
        links: { self: at(cursor), ...(page.next === undefined ? {} : { next: at(page.next) }) },
      };
    },
  );
  http.get(
    paths.import,
    {
      schema: {
        tags,
        operationId: "getImport",
        summary: "Get an import",
        description: "Poll it until `status` is `Done` or `Error`.",
        params: ImportParams,
        response: { 200: ImportOut },
      },
    },
    async (req, reply) => {
      const planes = await planesOf(app, req.params.projectId);
      const row = await getImport(planes, toScope(req.actor), req.params);
      if (row.ended_at === null) void reply.headers(RETRY_AFTER);
      return toImportOut(row, publicUrl);
    },
  );
  http.get(
    paths.refusedLines,
    {
      schema: {
        tags,
        produces: ["text/csv"],
        operationId: "getRefusedLines",
        summary: "Get the rejected lines of an import, with their reasons",
        description: "CSV with the number, reason and text of each line; kept for 30 days.",
        params: ImportParams,
        response: { 200: Type.String({ description: "CSV: line;reason;text." }) },
      },
    },
    async (req, reply) => {
      const planes = await planesOf(app, req.params.projectId);
      const { id, refused_bytes: length } = await getImport(planes, toScope(req.actor), req.params);
      const lines = length > 0 ? await app.files.readRejected(id, length) : undefined;
      if (!lines) throw new Fault("not-found", "There is no list of rejected lines.");
      const name = `attachment; filename="refused-${id}.csv"`;
      void reply.type("text/csv; charset=utf-8").header("content-disposition", name);
      // A stream bypasses the serializer.
      return reply.send(lines as never);
    },
  );
}

function registerCancel(http: Http, app: ImportRoutes): void {
  http.delete(
    paths.import,
    {
      schema: {
        tags,
        operationId: "cancelImport",
        summary: "Cancel an import, or remove the files of one that has ended",
        description: "Imported records are kept.",
        params: ImportParams,
        response: { 204: Type.Null() },
      },
    },
    async (req, reply) => {
      await getProject(app.db, toScope(req.actor), req.params.projectId);
      const write = { ...(await within(app, req.params.projectId)), req, reply, status: 204 };
      await answerDataWrite(write, (ctx) => cancelImport(ctx, req.params));
      await app.files.remove(req.params.id);
      return null;
    },
  );
}
