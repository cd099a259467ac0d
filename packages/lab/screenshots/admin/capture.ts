import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Browser, BrowserContext, Page, Request } from "playwright-core";
import { step } from "../../demo/progress.ts";
import type { Account } from "../../demo/setup.ts";
import type { Client } from "../../instance/requests.ts";
import type { AdminScene } from "./scene.ts";
import type { AdminSite, Who } from "./site.ts";
import type { Shot } from "../pictures/gallery.ts";
import { setNetwork } from "./network.ts";

const WAIT_MS_MAX = 20_000;
const PREVIEW_MS = 500;
/** Time without a pending request after which a screen has settled. */
const QUIET_MS = 300;
const sizes = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const;

interface Taking {
  browser: Browser;
  client: Client;
  site: AdminSite;
  out: string;
  wanted: readonly AdminScene[];
}

/** Takes full-page screenshots of the screens on each device, light and dark. */
export async function takeAdmin({ browser, client, site, out, wanted }: Taking): Promise<Shot[]> {
  const shots: Shot[] = [];
  const sessions = await startSessions(browser, client, site);
  for (const scene of wanted)
    await step(async () => {
      for (const device of Object.keys(sizes) as (keyof typeof sizes)[])
        for (const colorScheme of ["light", "dark"] as const) {
          const file = `${scene.name}-${device}-${colorScheme}.png`;
          const taken = {
            scene,
            device,
            colorScheme,
            file: join(out, file),
            client,
            site,
            session: sessions[scene.who ?? "owner"],
          };
          await takeScene(browser, taken);
          shots.push({ scene: scene.name, file, title: `${device}, ${colorScheme}` });
        }
      return [`${scene.name}: 4 pictures`, undefined];
    });
  return shots;
}

interface Take {
  scene: AdminScene;
  device: keyof typeof sizes;
  colorScheme: "light" | "dark";
  file: string;
  client: Client;
  site: AdminSite;
  session: Session | undefined;
}

/** The browser state of a signed-in user. */
type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

async function takeScene(browser: Browser, take: Take): Promise<void> {
  const { scene, device, colorScheme, file, client, site, session } = take;
  const { name, language = "en", network, at, act } = scene;
  const context = await browser.newContext({
    locale: language,
    colorScheme,
    reducedMotion: "reduce",
    viewport: sizes[device],
    ...(session ? { storageState: session } : {}),
  });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS_MAX);
    if (network) await setNetwork(page, network);
    const isQuiet = watchRequests(page);
    const address = at(site);
    await page.goto(address.startsWith("/") ? `${client.url}/admin${address}` : address);
    await page.getByRole("heading", { level: 1 }).waitFor();
    if (network === "slow") await page.locator("[aria-busy=true]").first().waitFor();
    else await settle(page, isQuiet);
    await act?.(page, site);
    if (network !== "slow") await waitUntilQuiet(isQuiet);
    // Frames are rendered only in the viewport.
    if ((await page.locator("iframe.front").count()) === 1) {
      const height = await page.evaluate<number>("document.documentElement.scrollHeight");
      await page.setViewportSize({ ...sizes[device], height });
      await page.waitForTimeout(PREVIEW_MS);
    }
    // Sticky elements must be at the top of the page.
    await page.evaluate("scrollTo(0, 0)");
    // A dialog has the height of the window, a screen that of its content.
    const fullPage = (await page.getByRole("dialog").count()) === 0 && name !== "admin-missing";
    await page.screenshot({ path: file, animations: "disabled", fullPage });
  } catch (error) {
    throw new Error(`${name}, ${device}, ${colorScheme}: ${String(error)}`, { cause: error });
  } finally {
    await context.close();
  }
}

/** Waits until a screen has loaded all its data. */
async function settle(page: Page, isQuiet: () => boolean): Promise<void> {
  await waitUntilQuiet(isQuiet);
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
}

/**
 * Watches the requests of a page; the result reports whether none was pending for a moment. Playwright's "networkidle" also
 * waits for frames, which the preview replaces while they load.
 */
function watchRequests(page: Page): () => boolean {
  const pending = new Set<Request>();
  let busyAt = Date.now();
  page.on("request", (sent) => {
    // A stream of events stays open.
    if (sent.resourceType() !== "eventsource") pending.add(sent);
    busyAt = Date.now();
  });
  const end = (sent: Request): void => {
    pending.delete(sent);
    busyAt = Date.now();
  };
  page.on("requestfinished", end);
  page.on("requestfailed", end);
  page.on("framedetached", (frame) => {
    for (const sent of pending)
      if (!sent.isNavigationRequest() && sent.frame() === frame) pending.delete(sent);
  });
  return () => pending.size === 0 && Date.now() - busyAt > QUIET_MS;
}

async function waitUntilQuiet(isQuiet: () => boolean): Promise<void> {
  const deadline = Date.now() + WAIT_MS_MAX;
  while (!isQuiet()) {
    if (Date.now() > deadline) throw new Error("The screen still loads.");
    await delay(QUIET_MS / 3);
  }
}

type Sessions = Record<Exclude<Who, "nobody">, Session> & { nobody: undefined };

async function startSessions(
  browser: Browser,
  client: Client,
  { accounts }: AdminSite,
): Promise<Sessions> {
  const start = (account: Account): Promise<Session> => startSession(browser, client, account);
  return {
    owner: await start(accounts.owner),
    viewer: await start(accounts.viewer),
    auditor: await start(accounts.auditor),
    newcomer: await start(accounts.newcomer),
    nobody: undefined,
  };
}

async function startSession(
  browser: Browser,
  client: Client,
  { email, password }: Account,
): Promise<Session> {
  // The user agent for the list of sessions, which does not identify a headless browser.
  const userAgent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${browser.version()} Safari/537.36`;
  const context = await browser.newContext({ locale: "en", userAgent });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS_MAX);
  await page.goto(`${client.url}/admin/signin`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Projects" }).waitFor();
  const session = await context.storageState();
  await context.close();
  return session;
}
