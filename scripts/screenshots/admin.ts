import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { step } from "../demo/progress.ts";
import type { Client } from "../requests.ts";
import type { AdminSite } from "./admin-site.ts";
import type { Shot } from "./gallery.ts";

const WAIT_MS_MAX = 20_000;
const sizes = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const;

/** A screen of the admin app, in a state. */
interface AdminScene {
  name: string;
  /** Where in the app. */
  at: (site: AdminSite) => string;
  /** Whether somebody is signed in. */
  isOpen?: boolean;
  language?: string;
  act?: (page: Page) => Promise<unknown>;
}

const button = (name: string) => (page: Page) => page.getByRole("button", { name }).first().click();

/** Every screen that there is. */
export const adminScenes: readonly AdminScene[] = [
  { name: "admin-sign-in", at: () => "/signin", isOpen: true },
  { name: "admin-sign-up", at: () => "/signup", isOpen: true },
  { name: "admin-forgot", at: () => "/forgot", isOpen: true, language: "fr" },
  { name: "admin-reset", at: () => "/reset?token=a", isOpen: true },
  {
    name: "admin-invitation",
    at: ({ invitationToken }) => `/invitation?token=${invitationToken}`,
    isOpen: true,
  },
  { name: "admin-projects", at: () => "/projects" },
  { name: "admin-create", at: () => "/projects/new", act: button("Create the project") },
  { name: "admin-start", at: ({ emptyId }) => `/projects/${emptyId}/start` },
  { name: "admin-project", at: ({ projectId }) => `/projects/${projectId}` },
  { name: "admin-project-new", at: ({ emptyId }) => `/projects/${emptyId}` },
  { name: "admin-project-french", at: ({ projectId }) => `/projects/${projectId}`, language: "fr" },
  { name: "admin-publish", at: ({ projectId }) => `/projects/${projectId}/publish` },
  {
    name: "admin-publish-changes",
    at: ({ projectId }) => `/projects/${projectId}/publish`,
    act: button("Changes 1"),
  },
  { name: "admin-publish-nothing", at: ({ emptyId }) => `/projects/${emptyId}/publish` },
  { name: "admin-files", at: () => "/assets" },
  { name: "admin-file", at: ({ assetId }) => `/assets/${assetId}` },
  { name: "admin-team", at: ({ projectId }) => `/projects/${projectId}/team` },
  {
    name: "admin-team-invite",
    at: ({ projectId }) => `/projects/${projectId}/team`,
    act: button("Invite somebody"),
  },
  { name: "admin-statistics", at: ({ projectId }) => `/projects/${projectId}/statistics` },
  { name: "admin-consents", at: ({ projectId }) => `/projects/${projectId}/consents` },
  {
    name: "admin-people",
    at: ({ projectId }) => `/projects/${projectId}/consents?view=people`,
  },
  {
    name: "admin-person",
    at: ({ projectId }) => `/projects/${projectId}/consents`,
    act: async (page) => {
      await page.locator(".row-link").first().click();
      await page.locator("summary").first().click();
      await page.getByRole("button", { name: "Check it here" }).first().click();
      await page.locator(".report").waitFor();
    },
  },
  { name: "admin-transfers", at: ({ projectId }) => `/projects/${projectId}/transfers` },
  { name: "admin-webhooks", at: ({ projectId }) => `/projects/${projectId}/webhooks` },
  {
    name: "admin-webhooks-new",
    at: ({ projectId }) => `/projects/${projectId}/webhooks`,
    act: button("New webhook"),
  },
  { name: "admin-audit", at: ({ projectId }) => `/projects/${projectId}/audit` },
  {
    name: "admin-log",
    at: ({ projectId }) => `/projects/${projectId}/log`,
    act: button("Check now"),
  },
  { name: "admin-account", at: () => "/account" },
  { name: "admin-account-key", at: () => "/account", act: button("New API key") },
  { name: "admin-missing", at: () => "/nowhere" },
];

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
    await page.goto(`${client.url}/admin${at(site)}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
    await act?.(page);
    await page.waitForLoadState("networkidle");
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
