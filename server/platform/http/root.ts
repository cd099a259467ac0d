import { Type } from "typebox";
import { Fault } from "../errors.ts";
import { hrefOf, paths } from "../../paths.ts";
import type { Http } from "./http.ts";
import { type ProblemName, problems } from "./problems.ts";

const Root = Type.Object({
  name: Type.String(),
  version: Type.String(),
  links: Type.Record(Type.String(), Type.String()),
});

/** Registers `GET /v1`, from which everything can be reached, and a page for each kind of problem. */
export function registerRoot(
  http: Http,
  { publicUrl, version }: { publicUrl: string; version: string },
): void {
  const at = (path: string) => publicUrl + path;
  http.get(
    paths.root,
    {
      config: { access: "public", cors: "any" },
      schema: {
        tags: ["service"],
        operationId: "getRoot",
        summary: "The name, the version and links to every service",
        response: { 200: Root },
      },
    },
    async () => ({
      name: "Avow",
      version,
      links: {
        self: at(paths.root),
        openapi: at(paths.openapi),
        reference: at(paths.reference),
        auth: at(paths.me),
        signup: at(paths.signup),
        signin: at(paths.signin),
        vault: at("/v1/vault/projects"),
        publish: hrefOf(publicUrl, paths.publishJobs, {}),
        // All of its addresses name a project: this tells them.
        app: at(`${paths.reference}#/app`),
        client: at(paths.clientProjects),
        billing: at(paths.plans),
      },
    }),
  );
  http.get(
    paths.problem,
    {
      config: { access: "public" },
      schema: { params: Type.Object({ name: Type.String({ maxLength: 64 }) }) },
    },
    async (req, reply) => {
      const { name } = req.params;
      if (!Object.hasOwn(problems, name))
        throw new Fault("not-found", `No problem is named ${name}.`);
      void reply.headers({
        "cache-control": "public, max-age=86400",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      });
      return reply.type("text/html; charset=utf-8").send(toPage(name as ProblemName));
    },
  );
}

function toPage(name: ProblemName): string {
  const { status, title, meaning } = problems[name];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} (${status})</title>
<style>
  body { font: 1.0625rem/1.6 system-ui, sans-serif; max-width: 38rem; margin: 12vh auto; padding: 0 1.25rem }
  p.status { color: GrayText; font-variant-numeric: tabular-nums; margin: 0 }
  h1 { margin: .25rem 0 1rem; font-size: 1.75rem; line-height: 1.2 }
  code { font-size: .95em }
</style>
<p class="status">HTTP ${status} · <code>/problems/${name}</code></p>
<h1>${title}</h1>
<p>${meaning.replaceAll(/`([^`]+)`/g, "<code>$1</code>")}</p>
<p><a href="${paths.reference}">Interface reference</a></p>
</html>
`;
}
