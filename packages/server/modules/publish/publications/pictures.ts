import { type AssetRow, listPublicAssets } from "../../assets/assets.ts";
import { type RenderSpec, extensionOf } from "../../assets/formats/tasks.ts";
import { copyObject, openContent } from "../../assets/storage/copies.ts";
import { toSource, toSpec } from "../../assets/renders/spec.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { Fault } from "../../../platform/errors.ts";
import type { Client } from "../../../platform/queues/fair-queue.ts";
import type { Content, PublishedRender } from "@avow/contract/published";
import { fileHref } from "./files.ts";
import { type PictureField, listFileFields, listPictureFields } from "../content/picture-fields.ts";
import type { PictureBudget, Publishing } from "./publishing.ts";

type PictureServices = Pick<Publishing, "db" | "objects" | "renders" | "spool" | "config">;

const ASSETS_MAX = 1_000;
/** Number of worker processes that render pictures. */
const CONCURRENCY = 4;
const SVG = "image/svg+xml";
/** Device pixel ratios that pictures are rendered for. */
const DENSITIES = [1, 2];

interface PictureOptions extends PictureBudget {
  isPublished: boolean;
}

/** Pictures have to be made first, but the budget is used up. */
export class PicturesPending extends Error {
  override readonly name = "PicturesPending";
}

/**
 * Replaces asset ids of pictures and files in a content by addresses of copies, under the project's own
 * path and named by hash. So the live content survives the deletion of an asset, and a proof identifies the
 * exact picture. `image` is the picture for dense screens, `renders` lists all sizes.
 *
 * With `isPublished`, missing copies are made and stored, and deleted assets are left out, as `notes` say.
 * Without it, nothing is made: a picture that is not rendered yet gets the asset's own address, and a
 * deleted one keeps its id.
 * @throws PicturesPending when the budget is used up; copies that were made stay
 * @throws Fault impossible (too many, or one that takes too long), busy
 */
export async function withPictures(
  app: PictureServices,
  original: Content,
  { isPublished, hasTime }: PictureOptions,
): Promise<{ content: Content; notes: string[] }> {
  const content = structuredClone(original);
  const pictures = listPictureFields(content);
  const files = listFileFields(content);
  const ids = [...new Set([...pictures, ...files].map(({ id }) => id))];
  if (ids.length === 0) return { content: original, notes: [] };
  if (ids.length > ASSETS_MAX)
    throw new Fault(
      "impossible",
      `The project uses more than ${ASSETS_MAX} uploaded files. Remove some from its configurations.`,
    );
  const found = await listPublicAssets(app.db, ids);
  const assets = new Map(found.map((asset) => [asset.id, asset]));
  const project = { projectId: content.projectId, isPublished, hasTime };
  let missing = 0;
  for (const { holder, name, id } of files) {
    const asset = assets.get(id);
    if (asset) holder[name] = await publishFile(app, asset, project);
    else delete holder[name];
    missing += asset ? 0 : 1;
  }
  for (let at = 0; at < pictures.length; at += CONCURRENCY) {
    const batch = pictures.slice(at, at + CONCURRENCY);
    await Promise.all(
      batch.map(async (field) => {
        const asset = assets.get(field.id);
        const picture = asset?.width
          ? await publishPicture(app, asset, { ...project, field })
          : undefined;
        missing += picture ? 0 : 1;
        setPicture(field, picture, isPublished);
      }),
    );
  }
  return { content, notes: isPublished && missing > 0 ? [toNote(missing)] : [] };
}

function toNote(missing: number): string {
  const what = missing === 1 ? "1 uploaded file is" : `${missing} uploaded files are`;
  return `${what} deleted and left out.`;
}

type PublishedPicture = { url: string; renders?: PublishedRender[] };

function setPicture(
  { holder, name }: PictureField,
  picture: PublishedPicture | undefined,
  isPublished: boolean,
): void {
  if (picture) {
    holder[name] = picture.url;
    if (picture.renders) holder.renders = picture.renders;
  } else if (isPublished) delete holder[name];
}

interface Project extends PictureOptions {
  projectId: string;
}

async function publishFile(
  app: PictureServices,
  asset: AssetRow,
  project: Project,
): Promise<string> {
  const key = `${project.projectId}/${asset.sha256}.${extensionOf(asset)}`;
  await putCopy(app, project, { key, open: () => openContent(app, asset) });
  return fileHref(app.config, { key });
}

async function putCopy(
  app: PictureServices,
  { isPublished, hasTime }: Project,
  { key, open }: { key: string; open: Parameters<typeof copyObject>[2] },
): Promise<void> {
  if (!isPublished || (await app.objects.findObject(key))) return;
  if (!hasTime()) throw new PicturesPending();
  await copyObject(app, key, open);
}

/** The picture for dense screens and all its sizes, or the asset itself where these are not rendered yet. */
async function publishPicture(
  app: PictureServices,
  asset: AssetRow,
  project: Project & { field: PictureField },
): Promise<PublishedPicture> {
  const renders = await listRenders(app, asset, project);
  const densest = renders?.at(-1);
  const { publicUrl } = app.config.http;
  if (!densest) return { url: hrefOf(publicUrl, paths.asset, { id: asset.id }) };
  return { url: densest.url, ...(renders ? { renders } : {}) };
}

/** A picture in the sizes that the widget uses; undefined when one is not rendered yet. */
async function listRenders(
  app: PictureServices,
  asset: AssetRow,
  { field, ...project }: Project & { field: PictureField },
): Promise<PublishedRender[] | undefined> {
  if (asset.type === SVG) {
    const { width, height } = toSource(asset);
    return [{ url: await publishFile(app, asset, project), width, height, type: SVG }];
  }
  const renders = new Map<string, PublishedRender>();
  const client = toClient(project);
  for (const density of DENSITIES) {
    const side = field.side * density;
    const spec = toSpec(toSource(asset), { w: side, h: side, fit: "max", fm: "webp" }, new Set());
    if (!spec) throw new Error(`asset ${asset.id} has no render`);
    const render =
      (await app.renders.find(asset, spec)) ?? (await makeRender(app, { asset, spec, project }));
    if (!render) return undefined;
    const key = `${project.projectId}/${render.hash}.webp`;
    const open = async () =>
      (await app.renders.open(asset, { spec, known: render, client })).object;
    await putCopy(app, project, { key, open });
    const url = fileHref(app.config, { key });
    renders.set(url, { url, width: spec.width, height: spec.height, type: render.type });
  }
  return [...renders.values()];
}

async function makeRender(
  app: PictureServices,
  { asset, spec, project }: { asset: AssetRow; spec: RenderSpec; project: Project },
) {
  if (!project.isPublished) return undefined;
  if (!project.hasTime()) throw new PicturesPending();
  return app.renders.get(asset, spec, toClient(project));
}

/** The queue of renders counts the time of pictures for the project. */
function toClient({ projectId }: Pick<Project, "projectId">): Client {
  return { kind: "owner", keys: [projectId] };
}
