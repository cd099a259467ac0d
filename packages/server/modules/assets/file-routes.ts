import { create as toDisposition } from "content-disposition";
import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { type Static, Type } from "typebox";
import { paths } from "@avow/contract/urls";
import { Fault } from "../../platform/errors.ts";
import { isUnchanged } from "../../http/files/etags.ts";
import { filePolicy } from "../../http/files/files.ts";
import type { Http } from "../../http/http.ts";
import type { OpenedObject } from "../../platform/objects/objects.ts";
import type { AssetsApp } from "./app.ts";
import { getAsset } from "./assets.ts";
import { type RenderSpec, extensions, toAssetKey } from "./formats/tasks.ts";
import { IMMUTABLE } from "./storage/contents.ts";
import { AssetParams, RenderQueryIn } from "./schema.ts";
import { asksForRender, toSource, toSpec } from "./renders/spec.ts";
import type { AssetRow } from "./storage/store.ts";

const SVG = "image/svg+xml";

type FileRequest = FastifyRequest<{
  Params: Static<typeof AssetParams>;
  Querystring: RenderQueryIn;
}>;

/** Registers the route of files and their renders (wire section 7). */
export function registerFileRoute(http: Http, app: AssetsApp): void {
  http.get(
    paths.asset,
    {
      config: { cors: "any", log: "failures" },
      schema: {
        tags: ["assets"],
        produces: Object.keys(extensions),
        operationId: "getAsset",
        summary: "Get a file or a render of it",
        description:
          "Without parameters, the uploaded file. With any parameter, a render, which is created once and immutable. With `fm=auto` or `auto=format` it has the smallest format that `Accept` names.",
        params: AssetParams,
        querystring: RenderQueryIn,
        response: { 200: Type.String({ format: "binary" }) },
      },
    },
    async (req, reply) => {
      const asset = await getAsset(app.db, req.params.id);
      const spec = asksForRender(req.query) ? negotiateSpec(asset, req, reply) : undefined;
      void reply.headers({
        "cross-origin-resource-policy": "cross-origin",
        "content-security-policy": filePolicy,
      });
      return spec
        ? answerRender(app, { asset, spec }, req, reply)
        : answerFile(app, asset, req, reply);
    },
  );
}

/** The requested render; sets `Vary` when `Accept` was used. */
function negotiateSpec(
  asset: AssetRow,
  req: FileRequest,
  reply: FastifyReply,
): RenderSpec | undefined {
  const { fm, auto } = req.query;
  // A wildcard does not show which types the client supports.
  const accepted = new Set(new Negotiator(req.raw).mediaTypes());
  if (fm === "auto" || (fm === undefined && auto?.includes("format")))
    void reply.header("vary", [reply.getHeader("vary"), "Accept"].filter(Boolean).join(", "));
  return toSpec(toSource(asset), req.query, accepted);
}

async function answerFile(
  app: AssetsApp,
  asset: AssetRow,
  req: FileRequest,
  reply: FastifyReply,
): Promise<never> {
  void reply.header("cache-control", IMMUTABLE);
  if (isUnchanged(req, reply, `"${asset.sha256}"`)) return reply.code(304).send() as never;
  const object = await app.objects.openObject(toAssetKey(asset));
  if (!object) throw new Fault("not-found", "The file no longer exists.");
  const disposition = asset.type === SVG ? "attachment" : "inline";
  return send(reply, object, {
    type: asset.type,
    disposition: toDisposition(asset.original_name, { type: disposition }),
  });
}

async function answerRender(
  app: AssetsApp,
  { asset, spec }: { asset: AssetRow; spec: RenderSpec },
  req: FileRequest,
  reply: FastifyReply,
): Promise<never> {
  const known = await app.renders.find(asset, spec);
  void reply.header("cache-control", IMMUTABLE);
  if (known && isUnchanged(req, reply, `"${known.hash}"`)) return reply.code(304).send() as never;
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  const keys = [asset.sha256, req.ip];
  const client = { kind: "visitor", keys, signal: gone.signal } as const;
  const { render, object } = await app.renders.open(asset, { spec, known, client });
  const name = asset.original_name.replace(/\.[A-Za-z0-9]{1,8}$/, "");
  void reply.header("etag", `"${render.hash}"`);
  return send(reply, object, {
    type: render.type,
    disposition: toDisposition(`${name}.${spec.format}`, { type: "inline" }),
  });
}

/** Sends a stream, without a serializer. */
function send(
  reply: FastifyReply,
  { body, sizeBytes }: OpenedObject,
  { type, disposition }: { type: string; disposition: string },
): never {
  void reply.headers({ "content-length": sizeBytes, "content-disposition": disposition });
  return reply.type(type).send(body) as never;
}
