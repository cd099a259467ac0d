// npm run screenshots: screenshots of the widget and the admin app, with a temporary service and browser.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs, promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { openDatabases } from "../bench/measure/database.ts";
import { findFreePort } from "../../server/platform/ports.ts";
import { step } from "../demo/progress.ts";
import { type Client, createClient, toReasonOf } from "../instance/requests.ts";
import { takeAdmin } from "./admin/capture.ts";
import { adminScenes } from "./admin/scenes.ts";
import { setUpAdmin } from "./admin/site.ts";
import { frontScenes, writeFront } from "./pictures/front.ts";
import { type Shot, toGallery } from "./pictures/gallery.ts";
import { RefusedError, publishSite } from "./content/publish.ts";
import { openReceiver } from "./content/receiver.ts";
import { type Scene, scenes } from "./scenes.ts";
import { openShop } from "./content/shop.ts";
import { type Site, toSites } from "./content/sites.ts";
import { toVendorList } from "./content/vendor-list.ts";
import { openService, root } from "../instance/service.ts";

const HOST = "127.0.0.1";
const WAIT_MS_MAX = 10_000;
const VENDORS = 60;
const PLAN_TIMEOUT_MS = 60_000;

const help = `Usage: npm run screenshots -- [options] [scene…]

Takes screenshots of the widget in every layout, in four languages and four designs, of all screens of the
admin app ("admin…"), of the demo ("demo…") and of the person's page ("person…"), light and dark, on a phone
and a desktop, and writes them to a folder with an index.html. Starts a temporary service and a browser
(CHROMIUM_PATH, default: /usr/bin/chromium).

  scene…              only scenes whose names begin with one of these
  --vendor-list FILE  IAB Europe's vendor-list.json (default: one with made-up companies)
  --out FOLDER        output folder (default: screenshots/, which git ignores)
  --front             only the six screenshots of the README; also writes them to docs/pictures/
  -h, --help          print this text
`;

const devices = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 375, height: 720 },
} as const;

process.exitCode = await main(process.argv.slice(2));

/** Returns the exit status of the process. */
async function main(args: string[]): Promise<number> {
  let parsed;
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: {
        "vendor-list": { type: "string" },
        out: { type: "string", default: join(root, "screenshots") },
        front: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    console.error(`${toReasonOf(error)}\nSee: npm run screenshots -- --help`);
    return 2;
  }
  const { values, positionals } = parsed;
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const isWanted = ({ name }: { name: string }): boolean =>
    values.front
      ? frontScenes.some((one) => one === name)
      : positionals.length === 0 || positionals.some((one) => name.startsWith(one));
  const wanted = scenes.filter(isWanted);
  const wantedAdmin = adminScenes.filter(isWanted);
  if (wanted.length + wantedAdmin.length === 0) {
    const names = [...scenes, ...adminScenes].map(({ name }) => name);
    console.error(`No scene matches. The scenes are ${names.join(", ")}`);
    return 2;
  }
  try {
    const from = process.env["INIT_CWD"] ?? process.cwd();
    const list = values["vendor-list"];
    const vendorList = list === undefined ? toVendorList() : await readJson(resolve(from, list));
    const out = resolve(from, values.out);
    await takeAll(wanted, { out, vendorList, wantedAdmin });
    if (values.front) console.log(`  Written: ${await writeFront(out)}\n`);
    return 0;
  } catch (error) {
    console.error(toReasonOf(error));
    return 1;
  }
}

interface Options {
  out: string;
  vendorList: object;
  wantedAdmin: typeof adminScenes;
}

async function takeAll(
  wanted: readonly Scene[],
  { out, vendorList, wantedAdmin }: Options,
): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), "avow-screenshots-"));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const databases = opened.use(await openDatabases(dataDir));
  const database = await databases.create("pictures");
  const listFile = join(dataDir, "vendor-list.json");
  await writeFile(listFile, JSON.stringify(vendorList));
  const port = String(await findFreePort(HOST));
  const url = `http://${HOST}:${port}`;
  const operatorToken = randomBytes(24).toString("base64url");
  const env = {
    PATH: process.env["PATH"],
    HOST,
    PORT: port,
    DATA_DIR: dataDir,
    DATABASE_URL: database,
    TCF_VENDOR_LIST: listFile,
    OPERATOR_TOKEN: operatorToken,
    // The webhook receiver of the shop runs on this machine.
    WEBHOOKS_ALLOWED_NETWORKS: `${HOST}/32`,
  };
  await step(async () => [
    `Started a service at ${url}`,
    opened.use(await openService({ url, env })),
  ]);
  const client = createClient(url);
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-background-networking"],
  });
  opened.defer(() => browser.close());
  await mkdir(out, { recursive: true });
  const shots: Shot[] = [];
  if (wantedAdmin.length > 0) {
    const receiver = opened.use(await openReceiver());
    const site = await setUpAdmin(client, operatorToken, { receiverUrl: receiver.url, database });
    shots.push(...(await takeAdmin({ browser, client, site, out, wanted: wantedAdmin })));
  }
  const shop = opened.use(await openShop(url));
  const sites = toSites(shop.image, listVendors(vendorList));
  const projects =
    wanted.length > 0
      ? await publishAll(client, { env, sites, wanted })
      : new Map<string, string>();
  for (const scene of wanted) {
    const projectId = projects.get(scene.site);
    if (projectId === undefined) continue;
    const query = new URLSearchParams({ language: scene.language ?? "en" });
    if (scene.page) query.set(scene.page, "");
    if (scene.region) query.set("region", scene.region);
    const address = `${shop.url}/${projectId}?${query.toString()}`;
    await step(async () => {
      const taken = await takeScene(browser, { scene, address, out });
      shots.push(...taken);
      return [`${scene.name}: ${taken.length} pictures`, undefined];
    });
  }
  await writeFile(join(out, "index.html"), toGallery(shots));
  console.log(`\n  ${shots.length} pictures: ${join(out, "index.html")}\n`);
}

async function readJson(file: string): Promise<object> {
  return JSON.parse(await readFile(file, "utf8")) as object;
}

/** The first vendors of a vendor list. */
function listVendors({ vendors = {} }: { vendors?: object }): number[] {
  return Object.keys(vendors).slice(0, VENDORS).map(Number);
}

/** Publishes the selected sites, as a separate user with a plan that has every layout. */
async function publishAll(
  anyone: Client,
  given: { env: NodeJS.ProcessEnv; sites: Record<string, Site>; wanted: readonly Scene[] },
): Promise<Map<string, string>> {
  const { env, sites, wanted } = given;
  const password = randomBytes(24).toString("base64url");
  const { token } = await anyone.send<{ token: string }>("/v1/auth/local/signup", {
    json: { email: "pictures@avow.example", password },
  });
  const client = anyone.withToken(token);
  const { id } = await client.send<{ id: string }>("/v1/vault/organizations", {
    json: { name: "Pictures" },
  });
  const plan = [join(root, "packages/server/commands/avow.ts"), "plan", id, "pro"];
  await promisify(execFile)(process.execPath, plan, { env, timeout: PLAN_TIMEOUT_MS });
  const projects = new Map<string, string>();
  for (const [name, site] of Object.entries(sites)) {
    if (!wanted.some((scene) => scene.site === name)) continue;
    await step(async () => {
      try {
        projects.set(name, await publishSite(client, id, site));
        return [`Published ${name}`, undefined];
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
        return [`Skipped ${name}: ${error.message}`, undefined];
      }
    });
  }
  return projects;
}

/** Takes a scene on each device, light and dark. */
async function takeScene(
  browser: Browser,
  { scene, address, out }: { scene: Scene; address: string; out: string },
): Promise<Shot[]> {
  const shots: Shot[] = [];
  const { name, zoom = 1, width, isOptedOut, language = "en" } = scene;
  for (const [device, size] of Object.entries(devices))
    for (const colorScheme of ["light", "dark"] as const) {
      if (width !== undefined && device !== "phone") continue;
      const context = await browser.newContext({
        locale: language,
        colorScheme,
        reducedMotion: "reduce",
        // Zooming reduces the number of CSS pixels of the same screen.
        viewport: {
          width: Math.round((width ?? size.width) / zoom),
          height: Math.round(size.height / zoom),
        },
        deviceScaleFactor: zoom,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(WAIT_MS_MAX);
      if (isOptedOut)
        await page.addInitScript(
          "Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { value: true })",
        );
      await page.goto(address);
      await page.getByRole("dialog").waitFor();
      await scene.act?.(page);
      const file = `${name}-${device}-${colorScheme}.png`;
      await page.screenshot({ path: join(out, file), animations: "disabled" });
      shots.push({ scene: name, file, title: `${device}, ${colorScheme}` });
      await context.close();
    }
  return shots;
}
