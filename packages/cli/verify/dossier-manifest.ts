import { readList, readNumber, readText } from "@avow/verifier/bundle";
import { FormatError } from "@avow/verifier/errors";
import { type Json, type JsonObject, isObject, parseJson } from "@avow/verifier/json";
import { FILES_MAX } from "../dossier/archive.ts";

/** Where a dossier says what it is. */
export const MANIFEST_FILE = "manifest.json";
const FORMAT = "avow-dossier/v1";

/** How the consents of a dossier were chosen. */
type Method =
  | { kind: "period" }
  | { kind: "person"; token: string }
  | { kind: "sample"; seed: string; size: number; population: number };

/** What a dossier says of itself. */
export interface Manifest {
  projectId: string;
  projectTitle: string;
  /** The id of who asked. */
  askedBy: string;
  askedAt: string;
  method: Method;
  /** The first instant of the period; null where it has none. */
  from: string | null;
  /** The first instant behind the period. */
  to: string;
  origin: string;
  treeSize: number;
  count: number;
  proven: number;
  /** Ids of consents that had no place in the log yet. */
  pending: readonly string[];
  versions: readonly number[];
  /** By path; in hexadecimal digits. */
  sums: ReadonlyMap<string, string>;
}

/**
 * Reads `manifest.json`, with nothing in it that two readers could see differently.
 * @throws FormatError for what is no manifest of a dossier
 */
export function readManifest(text: string): Manifest {
  const told = parseJson(text);
  if (!isObject(told) || told["format"] !== FORMAT)
    throw new FormatError((say) => say.bundleFormat(FORMAT));
  const textOf = (name: string): string => readText(told[name], name);
  const numberOf = (name: string): number => readNumber(told[name], name);
  const listOf = <T>(name: string, read: (item: Json, path: string) => T): T[] =>
    readList(told[name], name, FILES_MAX).map((item, at) => read(item, `${name}[${at}]`));
  return {
    projectId: textOf("projectId"),
    projectTitle: textOf("projectTitle"),
    askedBy: textOf("askedBy"),
    askedAt: textOf("askedAt"),
    method: readMethod(told["method"]),
    from: told["from"] === null ? null : textOf("from"),
    to: textOf("to"),
    origin: textOf("origin"),
    treeSize: numberOf("treeSize"),
    count: numberOf("count"),
    proven: numberOf("proven"),
    pending: listOf("pending", readText),
    versions: listOf("versions", readNumber),
    sums: new Map(listOf("files", readSum)),
  };
}

function readMethod(value: Json | undefined): Method {
  const told = readObject(value, "method");
  const { kind } = told;
  if (kind === "period") return { kind };
  if (kind === "person") return { kind, token: readText(told["token"], "method.token") };
  if (kind !== "sample") throw new FormatError((say) => say.unknown("method.kind"));
  return {
    kind,
    seed: readText(told["seed"], "method.seed"),
    size: readNumber(told["size"], "method.size"),
    population: readNumber(told["population"], "method.population"),
  };
}

function readSum(value: Json, path: string): [string, string] {
  const file = readObject(value, path);
  return [readText(file["path"], `${path}.path`), readText(file["sha256"], `${path}.sha256`)];
}

function readObject(value: Json | undefined, path: string): JsonObject {
  if (isObject(value)) return value;
  throw new FormatError((say) => say.type(path, "object"));
}
