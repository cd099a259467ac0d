import { join } from "node:path";
import type { Browser, BrowserContext } from "playwright-core";
import { step } from "../demo/progress.ts";
import type { Client } from "../requests.ts";
import type { AdminScene } from "./admin-scenes.ts";
import type { AdminSite } from "./admin-site.ts";
import type { Shot } from "./gallery.ts";

const WAIT_MS_MAX = 20_000;
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

/** Takes the screens on each device, light and dark, each as long as it is. */
export async function takeAdmin({ browser, client, site, out, wanted }: Taking): Promise<Shot[]> {
  const shots: Shot[] = [];
  const session = await startSession(browser, client, site);
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
            session,
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
  session: Session;
}

/** What a browser keeps of somebody who is signed in. */
type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

async function takeScene(browser: Browser, take: Take): Promise<void> {
  const { scene, device, colorScheme, file, client, site, session } = take;
  const { name, language = "en", isOpen = false, at, act } = scene;
  const context = await browser.newContext({
    locale: language,
    colorScheme,
    reducedMotion: "reduce",
    viewport: sizes[device],
    ...(isOpen ? {} : { storageState: session }),
  });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS_MAX);
    const address = at(site);
    await page.goto(address.startsWith("/") ? `${client.url}/admin${address}` : address);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
    await act?.(page);
    await page.waitForLoadState("networkidle");
    // What stays in view while one scrolls is to stand where the page begins.
    await page.evaluate("scrollTo(0, 0)");
    // A dialog is as high as the window; a screen is as high as what is in it.
    const fullPage = (await page.getByRole("dialog").count()) === 0 && name !== "admin-missing";
    await page.screenshot({ path: file, animations: "disabled", fullPage });
  } finally {
    await context.close();
  }
}

async function startSession(browser: Browser, client: Client, site: AdminSite): Promise<Session> {
  const context = await browser.newContext({ locale: "en" });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS_MAX);
  await page.goto(`${client.url}/admin/signin`);
  await page.getByLabel("E-mail address").fill(site.account.email);
  await page.getByLabel("Password").fill(site.account.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Projects" }).waitFor();
  const session = await context.storageState();
  await context.close();
  return session;
}
