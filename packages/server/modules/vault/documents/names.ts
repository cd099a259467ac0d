import { type JsonObject, readText } from "@avow/contract/json";
import { lists } from "@avow/contract/published";
import type { Ctx } from "../../../kernel/ctx.ts";
import type { FieldFault } from "../../../platform/errors.ts";
import { type DocumentRow, listNames, lockNames } from "./store.ts";

const NAME_LENGTH_MAX = 1_000;
const SLUG_LENGTH_MAX = 100;
/** Letters of Latin scripts that Unicode does not decompose. Migration 0045 has the same. */
const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  Æ: "ae",
  œ: "oe",
  Œ: "oe",
  ø: "o",
  Ø: "o",
  ł: "l",
  Ł: "l",
};

/** The resources whose documents have a name that is unique in their project: the lists of a published file. */
const namedResources: readonly string[] = Object.values(lists);

/** `base`, or else `base` with the first number from 2 on that makes a name that is not taken. */
export function toUniqueName(base: string, taken: ReadonlySet<string>): string {
  let name = base;
  for (let n = 2; taken.has(name); n += 1) {
    const suffix = `-${n}`;
    name = base.slice(0, NAME_LENGTH_MAX - suffix.length) + suffix;
  }
  return name;
}

/** The name of a configuration that has none: its title as a slug, else its id (wire section 9). */
export function toNameBase(id: string, { title, config }: JsonObject): string {
  const text = readText(title) ?? readText(readTitle(config)) ?? "";
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[ßæÆœŒøØłŁ]/g, (letter) => letters[letter] ?? letter)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  return plain.replace(/^-/, "").slice(0, SLUG_LENGTH_MAX).replace(/-$/, "") || id;
}

/** Whether the service gave a configuration its name, as far as its title has not changed since. */
export function isGivenName(id: string, body: JsonObject): boolean {
  const base = toNameBase(id, body);
  const name = readText(body["name"]) ?? base;
  return name === id || (name.startsWith(base) && /^(-\d+)?$/.test(name.slice(base.length)));
}

/** A long document has its title in `config`. */
function readTitle(config: unknown): unknown {
  return typeof config === "object" && config !== null && "title" in config ? config.title : "";
}

interface Naming {
  resource: string;
  id: string;
  projectId: string | null;
  /** The body after the write. */
  body: JsonObject;
  /** The fields that the client sent. */
  sent: JsonObject;
  present: DocumentRow | undefined;
}

/**
 * The body with its name, which is given once: a write without a name keeps the stored one. A given name is unique in
 * the project. A name that the client sends is made unique among documents of its kind, so that clients that reuse a
 * name do not fail.
 */
export async function withName(
  ctx: Ctx,
  { resource, id, projectId, body, sent, present }: Naming,
): Promise<{ body: JsonObject; warnings: FieldFault[] }> {
  if (projectId === null || !namedResources.includes(resource)) return { body, warnings: [] };
  const stored = readText(present?.body["name"]);
  const wanted = readText(body["name"]) ?? stored;
  const isEmpty = "name" in sent && readText(sent["name"]) === undefined;
  if (wanted !== undefined && wanted === stored)
    return toNamed(body, stored, isEmpty ? "cannot be removed" : undefined);
  await lockNames(ctx.tx, projectId);
  const others = await listNames(ctx.tx, { projectId, resources: namedResources, except: id });
  // Pages embed a form by its kind and name, so a name that a client sends may be that of another kind.
  const taken = others.filter(
    (other) =>
      !isTranslation(other, { resource, body }) &&
      (wanted === undefined || other.resource === resource),
  );
  const base = wanted ?? toNameBase(id, body);
  const name = toUniqueName(base, new Set(taken.map((other) => other.name)));
  if (wanted === undefined) return toNamed(body, name, isEmpty ? "is empty" : undefined);
  return toNamed(body, name, name === wanted ? undefined : "is taken by another configuration");
}

function toNamed(body: JsonObject, name: string, why: string | undefined) {
  const warnings =
    why === undefined ? [] : [{ path: "/name", message: `${why}: the name is \`${name}\`.` }];
  return { body: { ...body, name }, warnings };
}

/** Pages embed a form by its name, and the widget chooses the visitor's language among those of one name. */
function isTranslation(
  other: { resource: string; language: string | null },
  { resource, body }: Pick<Naming, "resource" | "body">,
): boolean {
  return (
    resource !== "cookies" &&
    other.resource === resource &&
    other.language !== (readText(body["language"]) ?? null)
  );
}
