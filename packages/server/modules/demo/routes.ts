import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import Negotiator from "negotiator";
import { Type } from "typebox";
import type { Config } from "../../config/config.ts";
import { toDemoCommand } from "./command.ts";
import { type Values, fillPage } from "./fill.ts";
import { toShopContent } from "./shop.ts";
import { type LiveProject, findDemoProject } from "./store.ts";
import { type Language, languages, words } from "./words.ts";
import { paths } from "@avow/contract/urls";
import type { Db } from "../../platform/db/db.ts";
import type { Http } from "../../http/http.ts";

const root = fileURLToPath(new URL("pages/", import.meta.url));
const files = ["demo.css", "shop.css", "demo.js", "records.js"] as const;
const QueryIn = Type.Object({ language: Type.Optional(Type.String({ maxLength: 100 })) });

/**
 * Registers `/demo` if it is configured: a small shop with the widget, for the project that `npm run demo` chose in
 * the database, or instructions to run it. Its policy forbids inline scripts and styles, and enforces Trusted
 * Types.
 */
export function registerDemoRoutes(
  http: Http,
  { db, config }: { db: Db; config: Pick<Config, "demo" | "http" | "cdnUrl"> },
): void {
  if (!config.demo) return;
  const { publicUrl } = config.http;
  const base = new URL(publicUrl).pathname.replace(/\/$/, "");
  // Relative, since the page may be visited under another name of the service, such as localhost.
  const isOwnCdn = config.cdnUrl === publicUrl + paths.cdn.slice(0, -1);
  const cdn = isOwnCdn ? base + paths.cdn.slice(0, -1) : config.cdnUrl;
  const policy = toPolicy(isOwnCdn ? [] : [new URL(config.cdnUrl).origin]);
  const route = { schema: { hide: true } } as const;
  void http.register(async (scope: Http) => {
    const [page, waiting] = await Promise.all([readPage("page.html"), readPage("waiting.html")]);
    await scope.register(fastifyStatic, { root, serve: false, index: false });
    scope.get(
      paths.demo,
      { ...route, schema: { ...route.schema, querystring: QueryIn } },
      async (req, reply) => {
        const project = await findDemoProject(db);
        const language = toLanguage(req.query.language, req.headers);
        const shared = { base, cdn, command: toDemoCommand(config.http) };
        void reply.headers({
          "cache-control": "no-store",
          "content-language": project ? language : "en",
          "content-security-policy": policy,
          vary: "accept-language",
        });
        return reply
          .type("text/html; charset=utf-8")
          .send(
            project
              ? fillPage(page, { ...shared, ...toValues(project, language) })
              : fillPage(waiting, shared),
          );
      },
    );
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

/** The requested language, the browser's preferred one, or English. */
function toLanguage(
  requested: string | undefined,
  headers: NodeJS.Dict<string | string[]>,
): Language {
  const best = new Negotiator({ headers }).languages([...languages]);
  return (
    languages.find((one) => one === requested) ?? languages.find((one) => one === best[0]) ?? "en"
  );
}

function toValues(project: LiveProject, language: Language): Values {
  const { asked, ...content } = toShopContent(project, language);
  const texts = words[language];
  return {
    ...texts,
    ...content,
    language,
    languageLinks: languages.map((one) => ({
      code: one,
      label: words[one].name,
      current: one === language ? "true" : "false",
    })),
    projectId: project.id,
    title: project.title,
    words: JSON.stringify(texts),
    asked: JSON.stringify(asked),
  };
}

function toPolicy(cdn: readonly string[]): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...cdn].join(" "),
    "style-src 'self'",
    ["img-src 'self' data:", ...cdn].join(" "),
    ["connect-src 'self'", ...cdn].join(" "),
    "require-trusted-types-for 'script'",
    "trusted-types avow",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
