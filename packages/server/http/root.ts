import { Type } from "typebox";
import { Fault } from "../platform/errors.ts";
import { toStyleSource } from "../platform/text/markup.ts";
import { paths } from "@avow/contract/urls";
import type { Http } from "./http.ts";
import { type ProblemName, problems } from "./errors/problems.ts";

const Root = Type.Object({
  name: Type.String(),
  version: Type.String(),
  links: Type.Record(Type.String(), Type.String()),
});

/** Registers `GET /v1`, which links to every service, the welcome page, and a page for each kind of problem. */
export function registerRoot(
  http: Http,
  { publicUrl, version }: { publicUrl: string; version: string },
): void {
  const at = (path: string) => publicUrl + path;
  http.get(
    paths.root,
    {
      config: { cors: "any" },
      schema: {
        tags: ["service"],
        operationId: "getRoot",
        summary: "Get the name, the version and links to every service",
        description: "The entry point for clients that follow links.",
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
        // All paths of these services contain a project id; the reference lists them.
        publish: at(`${paths.reference}#/publish`),
        assets: at(paths.assets),
        app: at(`${paths.reference}#/app`),
        client: at(paths.clientProjects),
        billing: at(paths.plans),
        webhooks: at(paths.webhooks),
        asyncapi: at(paths.asyncapi),
        verifier: at(paths.verifier),
        checkpoint: at(paths.checkpoint),
      },
    }),
  );
  http.get(
    paths.problem,
    {
      schema: { params: Type.Object({ name: Type.String({ maxLength: 64 }) }) },
    },
    async (req, reply) => {
      const { name } = req.params;
      if (!Object.hasOwn(problems, name))
        throw new Fault("not-found", `No problem is named ${name}.`);
      void reply.headers(pageHeaders).type("text/html; charset=utf-8");
      return toProblemPage(name as ProblemName);
    },
  );
  http.get("/", async (_req, reply) => {
    void reply.headers(pageHeaders).type("text/html; charset=utf-8");
    return toWelcomePage(version);
  });
}

const style = `
  body { font: 1.0625rem/1.6 system-ui, sans-serif; max-width: 38rem; margin: 12vh auto; padding: 0 1.25rem }
  p.small { color: GrayText; font-variant-numeric: tabular-nums; margin: 0 }
  h1 { margin: .25rem 0 1rem; font-size: 1.75rem; line-height: 1.2 }
  code { font-size: .95em }
`;

/** An HTML page that loads nothing and follows the color scheme. */
function toPage({ title, small, body }: { title: string; small: string; body: string }): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
<p class="small">${small}</p>
<h1>${title}</h1>
${body}
</html>
`;
}

function toProblemPage(name: ProblemName): string {
  const { status, title, meaning } = problems[name];
  const html = meaning.replaceAll(/`([^`]+)`/g, "<code>$1</code>");
  return toPage({
    title,
    small: `HTTP ${status} · <code>/problems/${name}</code>`,
    body: `<p>${html}</p>\n<p><a href="..${paths.reference}">Interface reference</a></p>`,
  });
}

function toWelcomePage(version: string): string {
  return toPage({
    title: "Avow is running",
    small: `Consent you can prove · version ${version}`,
    body: `<ul>
<li><a href=".${paths.admin}">Admin app</a></li>
<li><a href=".${paths.reference}">Interface reference</a></li>
<li><a href=".${paths.root}">API root</a>, which links to every service</li>
<li><a href=".${paths.demo}">Demo shop</a>, if it is enabled</li>
</ul>`,
  });
}

const pageHeaders = {
  "cache-control": "public, max-age=300",
  "content-security-policy": `default-src 'none'; style-src ${toStyleSource(style)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};
