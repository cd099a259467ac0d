import type { ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createConsentReader, toScriptJson } from "@avow/widget/server";
import { type Plugin, build } from "esbuild";
import { styles } from "@avow/widget/build";
import { installPackages } from "../../../packages/lab/bench/measure/npm.ts";
import { service } from "../../harness.ts";
import { type Shop, openShop } from "../widget/site.ts";
import type { ShopProps } from "./shop-props.ts";

const require = createRequire(import.meta.url);
const NONCE = "x1y2";
/** Neither inline scripts nor inline styles without the nonce. */
const strictPolicy = `default-src 'none'; script-src 'self' 'nonce-${NONCE}'; style-src 'self' 'nonce-${NONCE}'; connect-src ${service.url}; frame-src 'self'; form-action 'self'; require-trusted-types-for 'script'; trusted-types avow`;

export interface ReactShop extends Shop {
  /** The number of requests for a vendor's script and for its frame. */
  fires: { tag: number; frame: number };
}

export interface ReactShopOptions extends Omit<ShopProps, "url" | "snapshot"> {
  /** The major version of React (19). */
  major?: 18 | 19;
  /** Whether the browser renders the page alone. */
  isClientOnly?: boolean;
  lang?: string;
}

/** Serves a page of a shop that is rendered by React on a server, in its development mode with all warnings. */
export async function openReactShop(options: ReactShopOptions): Promise<ReactShop> {
  const { major = 19, isClientOnly, lang = "en", ...given } = options;
  const folder = await mkdtemp(join(tmpdir(), "avow-react-"));
  const reactFolder = major === 18 ? await installReact18() : import.meta.dirname;
  await build({
    entryPoints: ["client", "server"].map((name) => join(import.meta.dirname, `${name}.tsx`)),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"development"' },
    logLevel: "warning",
    plugins: [styles, resolveReact(reactFolder)],
  });
  const { render } = (await import(pathToFileURL(join(folder, "server.js")).href)) as {
    render: (props: ShopProps) => string;
  };
  const css = await readFile(require.resolve("@avow/react/styles.css"), "utf8");
  const base: ShopProps = { url: service.url, nonce: NONCE, ...given };
  const readConsent = createConsentReader({ project: given.project, url: service.url });
  const fires = { tag: 0, frame: 0 };
  const shop = await openShop({
    "/": async (request, response) => {
      const snapshot = isClientOnly ? undefined : (await readConsent(request)).snapshot;
      const props = { ...base, snapshot };
      response.setHeader("content-security-policy", strictPolicy);
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(`<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/styles.css"></head>
<body><div id="root">${isClientOnly ? "" : render(props)}</div>
<script type="application/json" id="props" nonce="${NONCE}">${toScriptJson(props)}</script>
<script type="module" src="/client.js"></script></body></html>`);
    },
    "/styles.css": (_, response) => response.setHeader("content-type", "text/css").end(css),
    "/tag.js": (_, response) => {
      fires.tag += 1;
      response.setHeader("content-type", "text/javascript").end("");
    },
    "/frame": (_, response) => {
      fires.frame += 1;
      response.setHeader("content-type", "text/html").end("<title>Film</title>");
    },
    "/order": "<!doctype html><title>Ordered</title><h1>Ordered</h1>",
    ...(await listScripts(folder)),
  });
  return {
    url: shop.url,
    fires,
    async [Symbol.asyncDispose]() {
      await shop[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const version18 = "18.3.1";

/** Installs React 18 once on this machine. */
async function installReact18(): Promise<string> {
  const folder = join(tmpdir(), `avow-react-${version18}`);
  if (existsSync(folder)) return folder;
  const installing = `${folder}-${process.pid}`;
  await installPackages(installing, { react: version18, "react-dom": version18 });
  // Another worker may have been faster.
  await rename(installing, folder).catch(() => rm(installing, { recursive: true, force: true }));
  return folder;
}

/** Resolves React from one folder, for all that is bundled. */
function resolveReact(folder: string): Plugin {
  return {
    name: "react",
    setup(bundler) {
      bundler.onResolve({ filter: /^react(-dom)?(\/|$)/ }, ({ path, kind, pluginData }) =>
        pluginData === "resolved"
          ? undefined
          : bundler.resolve(path, { kind, resolveDir: folder, pluginData: "resolved" }),
      );
    },
  };
}

/** The handlers of the bundled modules, by path. */
async function listScripts(folder: string): Promise<Parameters<typeof openShop>[0]> {
  const names = (await readdir(folder)).filter((name) => name !== "server.js");
  const entries = names.map(async (name) => {
    const text = await readFile(join(folder, name), "utf8");
    return [
      `/${name}`,
      (_: unknown, response: ServerResponse) =>
        response.setHeader("content-type", "text/javascript").end(text),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
