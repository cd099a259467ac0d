import { readList, readNumber, readText } from "@avow/verifier/bundle";
import { FormatError } from "@avow/verifier/errors";
import { type Json, type JsonObject, isObject, parseJson } from "@avow/verifier/json";
import { FILES_MAX } from "../audit-package/archive.ts";

/** The manifest's path in an audit package. */
export const MANIFEST_FILE = "manifest.json";
const FORMAT = "avow-dossier/v1";

/** The selection of an audit package's consents. */
type Method =
  | { kind: "period" }
  | { kind: "person"; token: string }
  | { kind: "sample"; seed: string; size: number; population: number };

/** The parsed manifest of an audit package. */
export interface Manifest {
  projectId: string;
  projectTitle: string;
  /** The id of the user who requested it. */
  askedBy: string;
  askedAt: string;
  method: Method;
  /** The start of the period, inclusive; null without a start. */
  from: string | null;
  /** The end of the period, exclusive. */
  to: string;
  origin: string;
  treeSize: number;
  count: number;
  proven: number;
  /** Ids of consents that were not in the log yet. */
  pending: readonly string[];
  versions: readonly number[];
  /** SHA-256 in hexadecimal digits, by path. */
  sums: ReadonlyMap<string, string>;
}

/**
 * Parses `manifest.json` strictly, so that every parser reads the same values.
 * @throws FormatError for any other file
 */
export function readManifest(text: string): Manifest {
  const manifest = parseJson(text);
  if (!isObject(manifest) || manifest["format"] !== FORMAT)
    throw new FormatError((say) => say.bundleFormat(FORMAT));
  const textOf = (name: string): string => readText(manifest[name], name);
  const numberOf = (name: string): number => readNumber(manifest[name], name);
  const listOf = <T>(name: string, read: (item: Json, path: string) => T): T[] =>
    readList(manifest[name], name, FILES_MAX).map((item, at) => read(item, `${name}[${at}]`));
  return {
    projectId: textOf("projectId"),
    projectTitle: textOf("projectTitle"),
    askedBy: textOf("askedBy"),
    askedAt: textOf("askedAt"),
    method: readMethod(manifest["method"]),
    from: manifest["from"] === null ? null : textOf("from"),
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
  const manifest = readObject(value, "method");
  const { kind } = manifest;
  if (kind === "period") return { kind };
  if (kind === "person") return { kind, token: readText(manifest["token"], "method.token") };
  if (kind !== "sample") throw new FormatError((say) => say.unknown("method.kind"));
  return {
    kind,
    seed: readText(manifest["seed"], "method.seed"),
    size: readNumber(manifest["size"], "method.size"),
    population: readNumber(manifest["population"], "method.population"),
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
