import type { Language } from "@avow/verifier";

const some = 5;
const list = (names: readonly string[]): string =>
  names.slice(0, some).join(", ") + (names.length > some ? ", …" : "");

/** The texts of a check of many items: `good` if all pass, `bad` with the names of those that fail. */
export interface CheckWords {
  good: string;
  bad: (names: readonly string[]) => string;
}

interface Counts {
  count: number;
  proven: number;
  pending: number;
}

const en = {
  noManifest: (reason: string) => `The manifest cannot be read: ${reason}`,
  noAuditPackage: "Not an audit package: only the bundles themselves are checked.",
  sums: (count: number) => `All ${count} files match SHA256SUMS.`,
  changed: (names: readonly string[]) => `Changed since SHA256SUMS was written: ${list(names)}.`,
  missing: (names: readonly string[]) => `Listed in SHA256SUMS, but missing: ${list(names)}.`,
  unlisted: (names: readonly string[]) => `Not listed in SHA256SUMS: ${list(names)}.`,
  bundles: (proven: number, all: number) => `${proven} of ${all} bundles are proven.`,
  noBundles: "It contains no proof bundle.",
  kind: {
    good: "Every proof is a proof of consent.",
    bad: (names: readonly string[]) => `Not proofs of consent: ${list(names)}.`,
  },
  names: {
    good: "Every proof is of the consent in its file name.",
    bad: (names: readonly string[]) => `Not of the consent in the file name: ${list(names)}.`,
  },
  checkpoint: {
    good: "Every proof has the checkpoint of log/checkpoint.txt.",
    bad: (names: readonly string[]) =>
      `Another checkpoint than log/checkpoint.txt: ${list(names)}.`,
  },
  keys: {
    good: "Every proof has the keys of log/keys.txt.",
    bad: (names: readonly string[]) => `Other keys than log/keys.txt: ${list(names)}.`,
  },
  shown: {
    good: "The published version of every consent is in the folder versions.",
    bad: (names: readonly string[]) =>
      `The published version is not in the folder versions: ${list(names)}.`,
  },
  versions: {
    good: "Every file of the folder versions has the SHA-256 in its name.",
    bad: (names: readonly string[]) => `Another SHA-256 than in the file name: ${list(names)}.`,
  },
  unused: (names: readonly string[]) => `Not shown to any consent with a proof: ${list(names)}.`,
  unusedVersions: (versions: readonly number[]) =>
    `Versions in the manifest that were not shown to any consent with a proof: ${list(versions.map(String))}.`,
  project: (projectId: string): CheckWords => ({
    good: `Every consent is of the manifest’s project: ${projectId}.`,
    bad: (names: readonly string[]) =>
      `Not of the manifest’s project ${projectId}: ${list(names)}.`,
  }),
  person: (token: string): CheckWords => ({
    good: `Every consent is of the manifest’s token: ${token}.`,
    bad: (names: readonly string[]) => `Not of the manifest’s token ${token}: ${list(names)}.`,
  }),
  period: (from: string | null, to: string): CheckWords => ({
    good: `Every consent is in the manifest’s period: ${from === null ? "" : `from ${from} `}up to ${to}.`,
    bad: (names: readonly string[]) => `Not in the manifest’s period: ${list(names)}.`,
  }),
  files: {
    good: "The manifest lists the same files as SHA256SUMS.",
    bad: (names: readonly string[]) => `The manifest and SHA256SUMS differ on: ${list(names)}.`,
  },
  published: {
    good: "The manifest lists the versions of the proofs.",
    bad: (names: readonly string[]) =>
      `The manifest does not list the versions of: ${list(names)}.`,
  },
  count: (proven: number, pending: number) =>
    `The number of consents matches the manifest: ${proven} with a proof, ${pending} pending.`,
  countOther: ({ count, proven, pending }: Counts, found: number) =>
    `The manifest lists ${count} consents, ${proven} with a proof and ${pending} pending, but there are ${found} proofs.`,
  log: (origin: string, size: number) =>
    `The manifest has the log and tree of log/checkpoint.txt: ${origin}, ${size} entries.`,
  logOther: (origin: string, size: number) =>
    `The manifest has another log or tree than log/checkpoint.txt, which is of ${origin}, ${size} entries.`,
  noCheckpoint: "log/checkpoint.txt contains no valid checkpoint.",
  sample: (size: number, population: number, seed: string) =>
    `The ranks of the consents are as low as expected for ${size} drawn from ${population} by the seed “${seed}”.`,
  sampleOther: (size: number, population: number, seed: string) =>
    `These consents are not ${size} drawn from ${population} by the seed “${seed}”.`,
  pending: (count: number) =>
    `${count} of its consents were not in the log yet and are not proven. Download it again.`,

  asked: (title: string, askedBy: string, askedAt: string) =>
    `Not proven: that the project is called “${title}”, and that user ${askedBy} requested the audit package on ${askedAt}.`,
  whole: "Not proven: that these are all such consents. No proof shows that none was left out.",
  drawn: (seed: string) =>
    `Not proven: the number of consents to draw from, and that none of a lower rank was left out. With the ids of all consents the sample can be drawn again by the seed “${seed}”.`,
  reading:
    "Only for reading, and not proven: index.html, README.txt, consents.csv and audit.ndjson. Take verifier.html from a source that you trust.",
  proven:
    "Proven: every consent in the folder proofs, the texts that were shown, and everything with a ✓ above. The rest is only for reading.",
};

const fr: typeof en = {
  noManifest: (reason) => `Le manifeste est illisible : ${reason}`,
  noAuditPackage:
    "Ce n’est pas un dossier d’audit : seuls les dossiers de preuve eux-mêmes sont vérifiés.",
  sums: (count) => `Les ${count} fichiers correspondent à SHA256SUMS.`,
  changed: (names) => `Modifiés depuis l’écriture de SHA256SUMS : ${list(names)}.`,
  missing: (names) => `Énumérés dans SHA256SUMS, mais absents : ${list(names)}.`,
  unlisted: (names) => `Absents de SHA256SUMS : ${list(names)}.`,
  bundles: (proven, all) => `${proven} dossiers de preuve sur ${all} sont prouvés.`,
  noBundles: "Il ne contient aucun dossier de preuve.",
  kind: {
    good: "Chaque preuve est une preuve de consentement.",
    bad: (names) => `Ne sont pas des preuves de consentement : ${list(names)}.`,
  },
  names: {
    good: "Chaque preuve est celle du consentement indiqué par le nom de son fichier.",
    bad: (names) =>
      `Ne sont pas celles du consentement indiqué par le nom du fichier : ${list(names)}.`,
  },
  checkpoint: {
    good: "Chaque preuve a le point de contrôle de log/checkpoint.txt.",
    bad: (names) => `Autre point de contrôle que log/checkpoint.txt : ${list(names)}.`,
  },
  keys: {
    good: "Chaque preuve a les clés de log/keys.txt.",
    bad: (names) => `Autres clés que log/keys.txt : ${list(names)}.`,
  },
  shown: {
    good: "La version publiée de chaque consentement est dans le dossier versions.",
    bad: (names) => `La version publiée n’est pas dans le dossier versions : ${list(names)}.`,
  },
  versions: {
    good: "Chaque fichier du dossier versions a le SHA-256 indiqué par son nom.",
    bad: (names) => `Autre SHA-256 que celui du nom de fichier : ${list(names)}.`,
  },
  unused: (names) => `Affichés pour aucun consentement prouvé : ${list(names)}.`,
  unusedVersions: (versions) =>
    `Versions du manifeste affichées pour aucun consentement prouvé : ${list(versions.map(String))}.`,
  project: (projectId) => ({
    good: `Chaque consentement appartient au projet du manifeste : ${projectId}.`,
    bad: (names) => `N’appartiennent pas au projet ${projectId} du manifeste : ${list(names)}.`,
  }),
  person: (token) => ({
    good: `Chaque consentement a le jeton du manifeste : ${token}.`,
    bad: (names) => `N’ont pas le jeton ${token} du manifeste : ${list(names)}.`,
  }),
  period: (from, to) => ({
    good: `Chaque consentement est dans la période du manifeste : ${from === null ? "" : `à partir de ${from} `}jusqu’à ${to}.`,
    bad: (names) => `Hors de la période du manifeste : ${list(names)}.`,
  }),
  files: {
    good: "Le manifeste énumère les mêmes fichiers que SHA256SUMS.",
    bad: (names) => `Le manifeste et SHA256SUMS divergent sur : ${list(names)}.`,
  },
  published: {
    good: "Le manifeste énumère les versions des preuves.",
    bad: (names) => `Le manifeste n’énumère pas les versions de : ${list(names)}.`,
  },
  count: (proven, pending) =>
    `Le nombre de consentements correspond au manifeste : ${proven} avec une preuve, ${pending} en attente.`,
  countOther: ({ count, proven, pending }, found) =>
    `Le manifeste énumère ${count} consentements, ${proven} avec une preuve et ${pending} en attente, mais il y a ${found} preuves.`,
  log: (origin, size) =>
    `Le manifeste a le journal et l’arbre de log/checkpoint.txt : ${origin}, ${size} entrées.`,
  logOther: (origin, size) =>
    `Le manifeste a un autre journal ou un autre arbre que log/checkpoint.txt, qui est de ${origin}, ${size} entrées.`,
  noCheckpoint: "log/checkpoint.txt ne contient pas de point de contrôle valide.",
  sample: (size, population, seed) =>
    `Les rangs des consentements sont aussi bas qu’attendu pour ${size} tirés parmi ${population} avec la graine « ${seed} ».`,
  sampleOther: (size, population, seed) =>
    `Ce ne sont pas ${size} consentements tirés parmi ${population} avec la graine « ${seed} ».`,
  pending: (count) =>
    `${count} de ses consentements n’étaient pas encore dans le journal et ne sont pas prouvés. Téléchargez-le à nouveau.`,

  asked: (title, askedBy, askedAt) =>
    `Non prouvé : que le projet s’appelle « ${title} », et que l’utilisateur ${askedBy} a demandé le dossier d’audit le ${askedAt}.`,
  whole:
    "Non prouvé : que ces consentements sont complets. Aucune preuve ne montre qu’il n’en manque pas.",
  drawn: (seed) =>
    `Non prouvé : le nombre de consentements parmi lesquels on a tiré, et qu’il n’en manque aucun de rang inférieur. Avec les identifiants de tous les consentements, on peut refaire le tirage avec la graine « ${seed} ».`,
  reading:
    "Uniquement pour la lecture, et non prouvés : index.html, README.txt, consents.csv et audit.ndjson. Obtenez verifier.html d’une source de confiance.",
  proven:
    "Prouvés : chaque consentement du dossier proofs, les textes affichés, et tout ce qui porte un ✓ ci-dessus. Le reste est uniquement pour la lecture.",
};

export type AuditPackageWords = typeof en;
export const auditPackageWords: Record<Language, AuditPackageWords> = { en, fr };
