import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setUpSite } from "../../demo/setup.ts";
import { createClient } from "../../instance/requests.ts";
import { root } from "../../instance/service.ts";
import { openAvow } from "../measure/service.ts";
import type { Bench } from "../measure/run.ts";
import type { Party } from "./party.ts";
import { categories, texts } from "./shop.ts";

const project = {
  websiteURL: "https://hearth-and-clay.example",
  title: "Hearth & Clay",
  DPO: { organization: "Hearth & Clay Ltd" },
};

/** Set up as in packages/widget/README.md: the widget of a temporary service with the published shop. */
export async function openAvowParty({ folder, opened }: Bench): Promise<Party> {
  const service = opened.use(await openAvow(folder));
  const { title, message, accept, refuse, choose, save, close } = texts;
  const steps = [
    { name: "welcome", layout: "welcome", title, message: `<p>${message}</p>` },
    ...categories.map((category) => ({
      name: category.name,
      layout: "category",
      title: category.title,
      message: `<p>${category.text}</p>`,
      vendors: category.vendors.map((vendor) => ({
        name: vendor.name,
        title: vendor.title,
        shortDescription: vendor.text,
      })),
    })),
  ];
  const strings = { acceptAll: accept, refuseAll: refuse, choose, save, close };
  const cookies = [{ name: "shop-en", language: "en", isDefault: true, steps, strings }];
  const shop = { project, cookies, processings: [], contracts: [] };
  const { projectId } = await setUpSite(createClient(service.url), shop, undefined);
  const manifest = await readFile(join(root, "package.json"), "utf8");
  const { url } = service;
  const head = `<link rel="preload" as="fetch" crossorigin href="${url}/cdn/${projectId}.json">
<script src="${url}/widget.js" data-project="${projectId}" async></script>\n`;
  return {
    name: "avow",
    version: (JSON.parse(manifest) as { version: string }).version,
    toLines: () => ({ head }),
    files: new Map(),
    origin: service.url,
  };
}

/** Vendors that most shops know, with the hosts that their documentation names. */
const hosts: Record<string, string[]> = {
  google_analytics: ["www.googletagmanager.com/gtag/", "*.google-analytics.com"],
  google_tag_manager: ["www.googletagmanager.com"],
  meta_pixel: ["connect.facebook.net", "*.facebook.com"],
  hotjar: ["*.hotjar.com", "*.hotjar.io"],
  hubspot: ["js.hs-scripts.com", "*.hs-analytics.net", "*.hsforms.net", "*.hubspot.com"],
  youtube: ["*.youtube.com", "*.youtube-nocookie.com"],
  google_maps: ["www.google.com/maps", "maps.googleapis.com"],
  vimeo: ["player.vimeo.com"],
};

/** The gzip bytes of the script that holds the tags of a project with `hosts`. */
export async function countBlockerBytes({ origin = "" }: Pick<Party, "origin">): Promise<number> {
  const vendors = Object.entries(hosts).map(([name, addresses]) => ({
    name,
    title: name,
    hosts: addresses,
  }));
  const steps = [{ name: "partners", layout: "category", title: "Partners", vendors }];
  const cookies = [{ name: "shop-en", language: "en", isDefault: true, steps }];
  const shop = { project, cookies, processings: [], contracts: [] };
  const { projectId } = await setUpSite(createClient(origin), shop, undefined);
  const answer = await fetch(`${origin}/cdn/${projectId}.block.js`, {
    headers: { "accept-encoding": "gzip" },
  });
  if (answer.headers.get("content-encoding") !== "gzip")
    throw new Error(`The script that blocks automatically is not compressed: ${answer.status}.`);
  await answer.body?.cancel();
  return Number(answer.headers.get("content-length"));
}
