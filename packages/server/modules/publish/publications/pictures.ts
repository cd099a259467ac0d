import { type AssetRow, listPublicAssets } from "../../assets/assets.ts";
import { type RenderSpec, extensionOf } from "../../assets/formats/tasks.ts";
import { copyObject, openContent } from "../../assets/storage/copies.ts";
import { toSource, toSpec } from "../../assets/renders/spec.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { Fault } from "../../../platform/errors.ts";
import type { Client } from "../../../platform/queues/fair-queue.ts";
import type { Content, PublishedRender } from "@avow/contract/published";
import { fileHref } from "./files.ts";
import { type PicturePlace, listFilePlaces, listPicturePlaces } from "../content/picture-places.ts";
import type { Publishing } from "./publishing.ts";

type Pictured = Pick<Publishing, "db" | "objects" | "renders" | "spool" | "config">;

const ASSETS_MAX = 1_000;
/** As many as there are processes that make them. */
const AT_ONCE = 4;
const SVG = "image/svg+xml";
/** Of a screen with so many dots to a pixel of the page. */
const DENSITIES = [1, 2];

/** What is made while the pictures of a content are looked up. */
interface Making {
  isPublished: boolean;
  /** Asked before each. */
  mayMake: () => boolean;
}

/** Pictures are to be made first, by whom there is time for. */
export class PicturesUnmade extends Error {
  override readonly name = "PicturesUnmade";
}

/**
 * A content with the addresses of the pictures and files that it names by asset id, under the project's
 * own addresses and their own hashes: so that what is live stays whole when an asset is deleted, and a
 * proof names the very picture. `image` is the picture for dense screens, `renders` every size.
 *
 * With `isPublished` what is not there yet is made and put there, and what is no longer to be had is
 * left out, which `notes` tell; without, nothing is made, a picture that is not made yet has the asset's
 * own address, and one that cannot be had keeps its id.
 * @throws PicturesUnmade where something is to be made and may not (now, or any more); what was made stays
 * @throws Fault impossible (too many, or one that takes too long), busy
 */
export async function withPictures(
  app: Pictured,
  given: Content,
  { isPublished, mayMake }: Making,
): Promise<{ content: Content; notes: string[] }> {
  const content = structuredClone(given);
  const pictures = listPicturePlaces(content);
  const files = listFilePlaces(content);
  const ids = [...new Set([...pictures, ...files].map(({ id }) => id))];
  if (ids.length === 0) return { content: given, notes: [] };
  if (ids.length > ASSETS_MAX)
    throw new Fault("impossible", `The project names more than ${ASSETS_MAX} uploaded files.`);
  const found = await listPublicAssets(app.db, ids);
  const assets = new Map(found.map((asset) => [asset.id, asset]));
  const project = { projectId: content.projectId, isPublished, mayMake };
  let missing = 0;
  for (const { holder, name, id } of files) {
    const asset = assets.get(id);
    if (asset) holder[name] = await publishFile(app, asset, project);
    else delete holder[name];
    missing += asset ? 0 : 1;
  }
  for (let at = 0; at < pictures.length; at += AT_ONCE) {
    const some = pictures.slice(at, at + AT_ONCE);
    await Promise.all(
      some.map(async (place) => {
        const asset = assets.get(place.id);
        const shown = asset?.width
          ? await showPicture(app, asset, { ...project, place })
          : undefined;
        missing += shown ? 0 : 1;
        setPicture(place, shown, isPublished);
      }),
    );
  }
  return { content, notes: isPublished && missing > 0 ? [toNote(missing)] : [] };
}

function toNote(missing: number): string {
  const what = missing === 1 ? "1 uploaded file is" : `${missing} uploaded files are`;
  return `${what} no longer there, and left out.`;
}

/** What stands for a picture: undefined where there is none any more. */
type Shown = { url: string; renders?: PublishedRender[] };

function setPicture(
  { holder, name }: PicturePlace,
  shown: Shown | undefined,
  isPublished: boolean,
): void {
  if (shown) {
    holder[name] = shown.url;
    if (shown.renders) holder.renders = shown.renders;
  } else if (isPublished) delete holder[name];
}

interface Project extends Making {
  projectId: string;
}

async function publishFile(app: Pictured, asset: AssetRow, project: Project): Promise<string> {
  const key = `${project.projectId}/${asset.sha256}.${extensionOf(asset)}`;
  await putCopy(app, project, { key, open: () => openContent(app, asset) });
  return fileHref(app.config, { key });
}

async function putCopy(
  app: Pictured,
  { isPublished, mayMake }: Project,
  { key, open }: { key: string; open: Parameters<typeof copyObject>[2] },
): Promise<void> {
  if (!isPublished || (await app.objects.findObject(key))) return;
  if (!mayMake()) throw new PicturesUnmade();
  await copyObject(app, key, open);
}

/** The picture for dense screens, and all; where these are not made yet and are not to be, the asset itself. */
async function showPicture(
  app: Pictured,
  asset: AssetRow,
  project: Project & { place: PicturePlace },
): Promise<Shown> {
  const renders = await listRenders(app, asset, project);
  const densest = renders?.at(-1);
  const { publicUrl } = app.config.http;
  if (!densest) return { url: hrefOf(publicUrl, paths.asset, { id: asset.id }) };
  return { url: densest.url, ...(renders ? { renders } : {}) };
}

/** A picture in the sizes that the widget shows it in; undefined where one is not made yet. */
async function listRenders(
  app: Pictured,
  asset: AssetRow,
  { place, ...project }: Project & { place: PicturePlace },
): Promise<PublishedRender[] | undefined> {
  if (asset.type === SVG) {
    const { width, height } = toSource(asset);
    return [{ url: await publishFile(app, asset, project), width, height, type: SVG }];
  }
  const renders = new Map<string, PublishedRender>();
  const client = toClient(project);
  for (const density of DENSITIES) {
    const side = place.side * density;
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
  app: Pictured,
  { asset, spec, project }: { asset: AssetRow; spec: RenderSpec; project: Project },
) {
  if (!project.isPublished) return undefined;
  if (!project.mayMake()) throw new PicturesUnmade();
  return app.renders.get(asset, spec, toClient(project));
}

/** The time that pictures take is counted for the project. */
function toClient({ projectId }: Pick<Project, "projectId">): Client {
  return { kind: "owner", keys: [projectId] };
}
