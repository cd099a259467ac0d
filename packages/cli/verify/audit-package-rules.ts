import type { ConsentBundle } from "@avow/verifier/bundle";
import type { Check, Report } from "@avow/verifier/checks";
import type { Json } from "@avow/verifier/json";
import type { Manifest } from "./audit-package-manifest.ts";
import type { AuditPackageWords, CheckWords } from "./audit-package-words.ts";

/** A rule for every proof of an audit package, with its texts. */
interface Rule {
  name: string;
  words: CheckWords;
  holds: (bundle: ConsentBundle, file: string) => boolean;
}

/** The files of an audit package other than its proofs; undefined when unreadable. */
export interface PackageFiles {
  manifest: Manifest | undefined;
  /** The text of `log/checkpoint.txt`. */
  checkpoint: string | undefined;
  /** The text of `log/keys.txt`. */
  keys: string | undefined;
  names: ReadonlySet<string>;
}

/** Checks each bundle against the rest of the audit package. */
export function openTally(files: PackageFiles, words: AuditPackageWords) {
  const rules = [...toFileRules(files, words), ...toManifestRules(files.manifest, words)];
  const faulty = new Map<string, string[]>(rules.map(({ name }) => [name, []]));
  const others: string[] = [];
  const shown = { hashes: new Set<string>(), versions: new Set<Json>() };
  let count = 0;
  return {
    /** Hashes and version numbers of the published files that the consents were shown. */
    shown,
    add({ file, bundle }: Pick<Report, "bundle"> & { file: string }): void {
      count += 1;
      if (!bundle) return;
      if (bundle.kind !== "consent") {
        others.push(file);
        return;
      }
      const { hash, version } = bundle.publication?.record ?? {};
      if (typeof hash === "string") shown.hashes.add(hash);
      if (version !== undefined) shown.versions.add(version);
      for (const { name, holds } of rules) if (!holds(bundle, file)) faulty.get(name)?.push(file);
    },
    /** Empty without a bundle. */
    toChecks(): Check[] {
      if (count === 0) return [];
      return [
        toCheck("kind", others, words.kind),
        ...rules.map((rule) => toCheck(rule.name, faulty.get(rule.name) ?? [], rule.words)),
      ];
    },
  };
}

/** One check of many items; `faulty` are those that fail it. */
export function toCheck(name: string, faulty: readonly string[], { good, bad }: CheckWords): Check {
  const holds = faulty.length === 0;
  return { name, holds, says: holds ? good : bad(faulty) };
}

function toFileRules({ checkpoint, keys, names }: PackageFiles, words: AuditPackageWords): Rule[] {
  return [
    {
      name: "names",
      words: words.names,
      holds: ({ consent }, file) => {
        const { consentId } = consent.record;
        return typeof consentId === "string" && file === `proofs/${consentId}.json`;
      },
    },
    {
      name: "checkpoint",
      words: words.checkpoint,
      holds: ({ consent, publication }) =>
        [consent, publication ?? consent].every(
          ({ proof }) => proof.checkpoint.source === checkpoint,
        ),
    },
    {
      name: "keys",
      words: words.keys,
      holds: (bundle) => bundle.keys.map(({ text }) => `${text}\n`).join("") === keys,
    },
    {
      name: "shown",
      words: words.shown,
      holds: ({ publication }) => {
        const hash = publication?.record["hash"];
        return !publication || (typeof hash === "string" && names.has(`versions/${hash}.json`));
      },
    },
  ];
}

function toManifestRules(manifest: Manifest | undefined, words: AuditPackageWords): Rule[] {
  if (!manifest) return [];
  const { projectId, method, from, to } = manifest;
  const rules: Rule[] = [
    {
      name: "project",
      words: words.project(projectId),
      holds: ({ consent }) => consent.record["projectId"] === projectId,
    },
    {
      name: "published",
      words: words.published,
      holds: ({ consent: { record } }) => {
        const { version } = record;
        return version === null || manifest.versions.some((one) => one === version);
      },
    },
    {
      name: "period",
      words: words.period(from, to),
      holds: ({ consent: { record } }) =>
        [toInstant(record["createdAt"]), toIdInstant(record["consentId"])].some(
          (instant) => (from === null || instant >= Date.parse(from)) && instant < Date.parse(to),
        ),
    },
  ];
  if (method.kind !== "person") return rules;
  const { token } = method;
  return [
    ...rules,
    {
      name: "person",
      words: words.person(token),
      holds: ({ consent }) => consent.record["token"] === token,
    },
  ];
}

function toInstant(value: Json | undefined): number {
  return typeof value === "string" ? Date.parse(value) : Number.NaN;
}

/**
 * The instant in a consent's id (RFC 9562 section 5.7), by which the service selects. After a correction of the clock
 * it can be a little later than `createdAt`.
 */
function toIdInstant(id: Json | undefined): number {
  const [, high, low] =
    /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(typeof id === "string" ? id : "") ?? [];
  return high !== undefined && low !== undefined ? Number.parseInt(high + low, 16) : Number.NaN;
}
