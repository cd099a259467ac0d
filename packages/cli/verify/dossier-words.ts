import type { Language } from "@avow/verifier";

const some = 5;
const list = (names: readonly string[]): string =>
  names.slice(0, some).join(", ") + (names.length > some ? ", …" : "");

/** What is said of many things: where it holds for all of them, and of which it does not. */
export interface Held {
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
  noDossier: "No dossier: only the bundles themselves are checked.",
  sums: (count: number) => `All ${count} files are as SHA256SUMS has them.`,
  changed: (names: readonly string[]) => `Changed since SHA256SUMS was made: ${list(names)}.`,
  missing: (names: readonly string[]) => `Missing, though SHA256SUMS lists them: ${list(names)}.`,
  unlisted: (names: readonly string[]) => `Not listed in SHA256SUMS: ${list(names)}.`,
  bundles: (proven: number, all: number) => `${proven} of ${all} bundles are proven.`,
  noBundles: "There is no proof bundle in it.",
  kind: {
    good: "Every proof is one of a consent.",
    bad: (names: readonly string[]) => `No proof of a consent, but something else: ${list(names)}.`,
  },
  names: {
    good: "Every proof is of the consent that its file is named after.",
    bad: (names: readonly string[]) => `Not of the consent that the file names: ${list(names)}.`,
  },
  checkpoint: {
    good: "Every proof is under the one checkpoint of log/checkpoint.txt.",
    bad: (names: readonly string[]) =>
      `Not under the checkpoint of log/checkpoint.txt: ${list(names)}.`,
  },
  keys: {
    good: "Every proof names the keys of log/keys.txt.",
    bad: (names: readonly string[]) => `Other keys than log/keys.txt: ${list(names)}.`,
  },
  shown: {
    good: "What every consent was shown is in the folder versions.",
    bad: (names: readonly string[]) =>
      `What was shown is not in the folder versions: ${list(names)}.`,
  },
  versions: {
    good: "Every file of the folder versions has the SHA-256 that it is named after.",
    bad: (names: readonly string[]) => `Not the SHA-256 that the file names: ${list(names)}.`,
  },
  unused: (names: readonly string[]) => `No consent with a proof was shown: ${list(names)}.`,
  unusedVersions: (versions: readonly number[]) =>
    `No consent with a proof was shown a version that the manifest lists: ${list(versions.map(String))}.`,
  project: (projectId: string): Held => ({
    good: `Every consent is of the project that the manifest tells: ${projectId}.`,
    bad: (names: readonly string[]) =>
      `Not of the project ${projectId} of the manifest: ${list(names)}.`,
  }),
  person: (token: string): Held => ({
    good: `Every consent is of the token that the manifest tells: ${token}.`,
    bad: (names: readonly string[]) => `Not of the token ${token} of the manifest: ${list(names)}.`,
  }),
  period: (from: string | null, to: string): Held => ({
    good: `Every consent lies in the period that the manifest tells: ${from === null ? "" : `from ${from} `}up to ${to}.`,
    bad: (names: readonly string[]) => `Not in the period of the manifest: ${list(names)}.`,
  }),
  files: {
    good: "The manifest lists the same files as SHA256SUMS.",
    bad: (names: readonly string[]) => `The manifest and SHA256SUMS differ on: ${list(names)}.`,
  },
  published: {
    good: "The manifest lists the versions that the proofs have.",
    bad: (names: readonly string[]) =>
      `The versions of the manifest are not those of the proofs: ${list(names)}.`,
  },
  count: (proven: number, pending: number) =>
    `As many consents as the manifest tells: ${proven} with a proof, ${pending} without one yet.`,
  countOther: ({ count, proven, pending }: Counts, found: number) =>
    `The manifest tells of ${count} consents, ${proven} with a proof and ${pending} without, and there are ${found} proofs.`,
  log: (origin: string, size: number) =>
    `The manifest tells the log and tree of log/checkpoint.txt: ${origin}, ${size} entries.`,
  logOther: (origin: string, size: number) =>
    `The manifest tells another log or tree than log/checkpoint.txt: that is of ${origin}, ${size} entries.`,
  noCheckpoint: "There is no checkpoint in log/checkpoint.txt.",
  sample: (size: number, population: number, seed: string) =>
    `The SHA-256 of the seed “${seed}” and each consent are as low as those of ${size} drawn from ${population} are.`,
  sampleOther: (size: number, population: number, seed: string) =>
    `These are not ${size} drawn from ${population} by the seed “${seed}”.`,
  pending: (count: number) =>
    `${count} of its consents had no place in the log yet, and are not proven: ask for it again.`,

  asked: (title: string, askedBy: string, askedAt: string) =>
    `Only said: that the project is called “${title}”, and that user ${askedBy} asked for it on ${askedAt}.`,
  whole: "Only said: that these are all such consents. No proof shows that none was left out.",
  drawn: (seed: string) =>
    `Only said: how many consents there were to draw from, and that no lower one was left out. Whoever has the ids of all can draw the sample again by the seed “${seed}”.`,
  reading:
    "For reading, and not proven: index.html, README.txt, consents.csv and audit.ndjson. Take verifier.html from a source that you trust.",
  proven:
    "Proven: every consent in the folder proofs, what was shown, and what has a ✓ above. The rest is for reading.",
};

const fr: typeof en = {
  noManifest: (reason) => `Le manifeste ne se lit pas : ${reason}`,
  noDossier: "Pas un dossier : seules les preuves elles-mêmes sont vérifiées.",
  sums: (count) => `Les ${count} fichiers sont tels que SHA256SUMS les dit.`,
  changed: (names) => `Modifiés depuis que SHA256SUMS a été fait : ${list(names)}.`,
  missing: (names) => `Manquent, bien que SHA256SUMS les nomme : ${list(names)}.`,
  unlisted: (names) => `Absents de SHA256SUMS : ${list(names)}.`,
  bundles: (proven, all) => `${proven} preuves sur ${all} sont établies.`,
  noBundles: "Il n’y a aucune preuve dedans.",
  kind: {
    good: "Chaque preuve est celle d’un consentement.",
    bad: (names) => `Pas la preuve d’un consentement, mais autre chose : ${list(names)}.`,
  },
  names: {
    good: "Chaque preuve est celle du consentement que nomme son fichier.",
    bad: (names) => `Pas celle du consentement que nomme le fichier : ${list(names)}.`,
  },
  checkpoint: {
    good: "Chaque preuve se rattache au seul point de contrôle de log/checkpoint.txt.",
    bad: (names) =>
      `Ne se rattachent pas au point de contrôle de log/checkpoint.txt : ${list(names)}.`,
  },
  keys: {
    good: "Chaque preuve nomme les clés de log/keys.txt.",
    bad: (names) => `D’autres clés que log/keys.txt : ${list(names)}.`,
  },
  shown: {
    good: "Ce que chaque consentement a vu affiché est dans le dossier versions.",
    bad: (names) => `Ce qui était affiché n’est pas dans le dossier versions : ${list(names)}.`,
  },
  versions: {
    good: "Chaque fichier du dossier versions a le SHA-256 dont il porte le nom.",
    bad: (names) => `Pas le SHA-256 que nomme le fichier : ${list(names)}.`,
  },
  unused: (names) => `Aucun consentement prouvé ne s’est vu afficher : ${list(names)}.`,
  unusedVersions: (versions) =>
    `Aucun consentement prouvé ne s’est vu afficher une version que le manifeste énumère : ${list(versions.map(String))}.`,
  project: (projectId) => ({
    good: `Chaque consentement est du projet que dit le manifeste : ${projectId}.`,
    bad: (names) => `Pas du projet ${projectId} du manifeste : ${list(names)}.`,
  }),
  person: (token) => ({
    good: `Chaque consentement est du jeton que dit le manifeste : ${token}.`,
    bad: (names) => `Pas du jeton ${token} du manifeste : ${list(names)}.`,
  }),
  period: (from, to) => ({
    good: `Chaque consentement est dans la période que dit le manifeste : ${from === null ? "" : `depuis ${from} `}jusqu’à ${to}.`,
    bad: (names) => `Hors de la période du manifeste : ${list(names)}.`,
  }),
  files: {
    good: "Le manifeste énumère les mêmes fichiers que SHA256SUMS.",
    bad: (names) => `Le manifeste et SHA256SUMS divergent sur : ${list(names)}.`,
  },
  published: {
    good: "Le manifeste énumère les versions qu’ont les preuves.",
    bad: (names) => `Les versions du manifeste ne sont pas celles des preuves : ${list(names)}.`,
  },
  count: (proven, pending) =>
    `Autant de consentements que le manifeste en annonce : ${proven} avec une preuve, ${pending} encore sans.`,
  countOther: ({ count, proven, pending }, found) =>
    `Le manifeste annonce ${count} consentements, ${proven} avec une preuve et ${pending} sans, et il y a ${found} preuves.`,
  log: (origin, size) =>
    `Le manifeste dit le registre et l’arbre de log/checkpoint.txt : ${origin}, ${size} entrées.`,
  logOther: (origin, size) =>
    `Le manifeste dit un autre registre ou arbre que log/checkpoint.txt : celui-ci est de ${origin}, ${size} entrées.`,
  noCheckpoint: "Il n’y a pas de point de contrôle dans log/checkpoint.txt.",
  sample: (size, population, seed) =>
    `Les SHA-256 de la graine « ${seed} » et de chaque consentement sont aussi petits que ceux de ${size} tirés parmi ${population}.`,
  sampleOther: (size, population, seed) =>
    `Ce ne sont pas ${size} consentements tirés parmi ${population} par la graine « ${seed} ».`,
  pending: (count) =>
    `${count} de ses consentements n’avaient pas encore de place dans le registre et ne sont pas prouvés : redemandez-le.`,

  asked: (title, askedBy, askedAt) =>
    `Seulement dit : que le projet s’appelle « ${title} », et que l’utilisateur ${askedBy} l’a demandé le ${askedAt}.`,
  whole:
    "Seulement dit : que ce sont là tous ces consentements. Aucune preuve ne montre qu’il n’en manque pas.",
  drawn: (seed) =>
    `Seulement dit : parmi combien de consentements on a tiré, et qu’aucun plus petit ne manque. Qui a les numéros de tous peut refaire le tirage par la graine « ${seed} ».`,
  reading:
    "Pour la lecture, et non prouvés : index.html, README.txt, consents.csv et audit.ndjson. Prenez verifier.html à une source de confiance.",
  proven:
    "Prouvé : chaque consentement du dossier proofs, ce qui était affiché, et ce qui porte un ✓ ci-dessus. Le reste est pour la lecture.",
};

/** What is told of a dossier as a whole. */
export type DossierWords = typeof en;
export const dossierWords: Record<Language, DossierWords> = { en, fr };
