import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { Config } from "../../config.ts";
import { toDemoCommand } from "./command.ts";
import { findLiveProject } from "./store.ts";
import { paths } from "../../paths.ts";
import type { Db } from "../../platform/db/db.ts";
import type { Http } from "../../platform/http/http.ts";

const root = fileURLToPath(new URL("pages/", import.meta.url));
const files = [
  "cards.css",
  "demo.css",
  "demo.js",
  "forms.js",
  "html.js",
  "service.js",
  "strings.js",
] as const;

/**
 * Registers `/demo`, where the configuration asks for it: a small site that shows the main job with
 * the project that `npm run demo` makes, or says how to make one. Pages are static but for where
 * the project is; they hold no inline script or style, so that the policy can forbid both.
 */
export function registerDemoRoutes(
  http: Http,
  { db, config }: { db: Db; config: Pick<Config, "demo" | "http" | "cdnUrl"> },
): void {
  if (!config.demo) return;
  const { publicUrl } = config.http;
  const base = new URL(publicUrl).pathname.replace(/\/$/, "");
  // The page may be visited under another name of the same service, such as localhost.
  const isOwnCdn = config.cdnUrl === publicUrl + paths.cdn.slice(0, -1);
  const cdn = isOwnCdn ? base + paths.cdn.slice(0, -1) : config.cdnUrl;
  const policy = toPolicy(isOwnCdn ? [] : [new URL(config.cdnUrl).origin]);
  const route = { config: { access: "public" }, schema: { hide: true } } as const;
  void http.register(async (scope) => {
    const [page, waiting] = await Promise.all([readPage("page.html"), readPage("waiting.html")]);
    await scope.register(fastifyStatic, { root, serve: false, index: false });
    scope.get(paths.demo, route, async (_req, reply) => {
      const project = await findLiveProject(db, publicUrl + paths.demo);
      void reply.headers({
        "cache-control": "no-store",
        "content-security-policy": policy,
        "referrer-policy": "no-referrer",
      });
      return reply.type("text/html; charset=utf-8").send(
        fill(project ? page : waiting, {
          base,
          cdn,
          command: toDemoCommand(config.http),
          projectId: project?.id ?? "",
          title: project?.title ?? "",
        }),
      );
    });
    for (const file of files) {
      scope.get(`${paths.demo}/${file}`, route, (_req, reply) =>
        reply.sendFile(file, { cacheControl: false }),
      );
    }
  });
}

function readPage(name: string): Promise<string> {
  return readFile(root + name, "utf8");
}

function toPolicy(connect: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src data:",
    ["connect-src 'self'", ...connect].join(" "),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Writes values in place of `{{name}}`, for text and for quoted attributes. */
function fill(html: string, values: Record<string, string>): string {
  return html.replace(/\{\{(\w+)\}\}/g, (_, name: string) => escapeHtml(values[name] ?? ""));
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(/[&<>"']/g, (c) => entities[c] ?? c);
}
