import { type RouteRights, rolesFor, routeRights } from "./rights.ts";

/** The table of routes in docs/reference/rights.md. */
export function rightsMarkdown(): string {
  const lines = routeRights.flatMap(({ routes, ...rights }) =>
    routes.map((route) => `| \`${route}\` | ${toCallers(rights)} | ${toKeys(rights)} |`),
  );
  return ["| Route | Callers | API keys |", "| --- | --- | --- |", ...lines].join("\n");
}

function toCallers({ access, right }: RouteRights): string {
  if (access === "public") return "everybody";
  if (access === "operator") return "the operator";
  if (!right) return access === "optional" ? "everybody" : "signed in, their own";
  const held = rolesFor(right).join(", ");
  return access === "optional" ? `everybody; with a token ${held}` : held;
}

function toKeys({ access, scope, andScope }: RouteRights): string {
  if (access === "public") return "";
  if (andScope !== undefined) return `${scope} and ${andScope}`;
  return scope === "any" ? "all" : (scope ?? "none");
}
