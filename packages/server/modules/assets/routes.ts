import { Type } from "typebox";
import { paths } from "@avow/contract/urls";
import { toScope } from "../../kernel/actor.ts";
import type { Http } from "../../http/http.ts";
import { PageQueryIn, answerPage } from "../../http/lists/pages.ts";
import { answerWrite } from "../../http/write.ts";
import type { AssetsApp } from "./app.ts";
import { toAssetOut, toUseOut } from "./asset-out.ts";
import { getAsset, listUses, removeAsset } from "./assets.ts";
import { registerFileRoute } from "./file-routes.ts";
import { AssetMetadataOut, AssetOut, AssetParams, AssetUseOut, assetFilters } from "./schema.ts";
import { sortFields, toSorts } from "./storage/sorts.ts";
import { listOwnAssets } from "./storage/store.ts";
import { registerUploadRoute } from "./upload-routes.ts";

const tags = ["assets"];

const sortField = `-?(${sortFields.join("|")})`;
const AssetsQueryIn = Type.Object({
  ...PageQueryIn.properties,
  ...assetFilters,
  sort: Type.Optional(
    Type.String({
      maxLength: 128,
      pattern: `^${sortField}(,${sortField}){0,3}$`,
      examples: ["-createdAt"],
      description:
        "a list of `createdAt`, `originalName` and `size`, `-` before a field for descending order; `-createdAt` by default",
    }),
  ),
});

/** Registers the assets service (wire section 7). */
export function registerAssetRoutes(http: Http, app: AssetsApp): void {
  registerUploadRoute(http, app);
  registerFileRoute(http, app);
  registerList(http, app);
  registerOne(http, app);
}

function registerList(http: Http, { db, publicUrl }: AssetsApp): void {
  http.get(
    paths.assets,
    {
      schema: {
        tags,
        operationId: "listAssets",
        summary: "List the caller's files, newest first",
        description: "Filtered by name and type.",
        querystring: AssetsQueryIn,
        response: { 200: Type.Array(AssetOut) },
      },
    },
    async (req, reply) => {
      const { sort, ...page } = req.query;
      const query = { ...page, sort: toSorts(sort) };
      const { items, total } = await listOwnAssets(db, toScope(req.actor), query);
      const out = items.map((row) => toAssetOut(row, publicUrl));
      return answerPage({ req, reply, publicUrl }, page, { items: out, total });
    },
  );
}

function registerOne(http: Http, app: AssetsApp): void {
  const { db, publicUrl } = app;
  http.get(
    paths.assetMetadata,
    {
      config: { cors: "any" },
      schema: {
        tags,
        operationId: "getAssetMetadata",
        summary: "Get the metadata of a file",
        description: "Size, type, dimensions, pages and dominant colour.",
        params: AssetParams,
        response: { 200: AssetMetadataOut },
      },
    },
    async (req, reply) => {
      void reply.header("cache-control", "public, max-age=300");
      return toAssetOut(await getAsset(db, req.params.id), publicUrl);
    },
  );
  http.get(
    paths.assetUses,
    {
      schema: {
        tags,
        operationId: "listAssetUses",
        summary: "List the documents that use a file of the caller, at most 20",
        description:
          "Only documents that the caller may see. While there is one, the file cannot be deleted.",
        params: AssetParams,
        response: { 200: Type.Array(AssetUseOut) },
      },
    },
    async (req) => {
      const uses = await listUses(app, toScope(req.actor), req.params.id);
      return uses.map((use) => toUseOut(use, publicUrl));
    },
  );
  http.delete(
    paths.asset,
    {
      schema: {
        tags,
        operationId: "deleteAsset",
        summary: "Delete a file that nothing uses",
        description: "Published copies of the file stay published.",
        params: AssetParams,
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite({ db, now: app.now, req, reply, status: 204 }, (ctx) =>
        removeAsset(ctx, app, req.params.id),
      ),
  );
}
