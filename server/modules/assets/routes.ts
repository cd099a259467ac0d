import { Type } from "typebox";
import { paths } from "../../paths.ts";
import { toScope } from "../../platform/actor.ts";
import type { Http } from "../../platform/http/http.ts";
import { PageQueryIn, answerPage } from "../../platform/http/pages.ts";
import { answerWrite } from "../../platform/http/write.ts";
import type { AssetsApp } from "./app.ts";
import { toAssetOut, toMetadataOut } from "./asset-out.ts";
import { getAsset, removeAsset } from "./assets.ts";
import { registerFileRoute } from "./file-routes.ts";
import { AssetMetadataOut, AssetOut, AssetParams } from "./schema.ts";
import { sortFields, toSorts } from "./sorts.ts";
import { listOwnAssets } from "./store.ts";
import { registerUploadRoute } from "./upload-routes.ts";

const tags = ["assets"];

const sortField = `-?(${sortFields.join("|")})`;
const AssetsQueryIn = Type.Object({
  ...PageQueryIn.properties,
  sort: Type.Optional(
    Type.String({
      maxLength: 128,
      pattern: `^${sortField}(,${sortField}){0,3}$`,
      description:
        "a list of `createdAt`, `originalName` and `size`, `-` before what goes downwards; `-createdAt` by default",
    }),
  ),
});

/** Registers the assets service (wire section 7). */
export function registerAssetRoutes(http: Http, app: AssetsApp): void {
  registerUploadRoute(http, app);
  registerFileRoute(http, app);
  const { db, publicUrl } = app;
  http.get(
    paths.assets,
    {
      schema: {
        tags,
        operationId: "listAssets",
        summary: "The caller's files, newest first",
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
  http.get(
    paths.assetMetadata,
    {
      config: { cors: "any" },
      schema: {
        tags,
        operationId: "getAssetMetadata",
        summary: "What is known of a file",
        params: AssetParams,
        response: { 200: AssetMetadataOut },
      },
    },
    async (req, reply) => {
      void reply.header("cache-control", "public, max-age=300");
      return toMetadataOut(await getAsset(db, req.params.id), publicUrl);
    },
  );
  http.delete(
    paths.asset,
    {
      schema: {
        tags,
        operationId: "deleteAsset",
        summary: "Delete a file that nothing uses",
        description: "What was published of it stays published.",
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
