import type { Language } from "../verifier/verify.ts";

const some = 5;
const list = (names: readonly string[]): string =>
  names.slice(0, some).join(", ") + (names.length > some ? ", …" : "");

const en = {
  manifest: (project: string, askedAt: string) =>
    `A dossier of the project ${project}, asked for on ${askedAt}.`,
  noManifest: (reason: string) => `The manifest cannot be read: ${reason}`,
  noDossier: "No dossier: only the bundles themselves are checked.",
  sums: (count: number) => `All ${count} files are as SHA256SUMS has them.`,
  changed: (names: readonly string[]) => `Changed since SHA256SUMS was made: ${list(names)}.`,
  missing: (names: readonly string[]) => `Missing, though SHA256SUMS lists them: ${list(names)}.`,
  unlisted: (names: readonly string[]) => `Not listed in SHA256SUMS: ${list(names)}.`,
  bundles: (proven: number, all: number) => `${proven} of ${all} bundles are proven.`,
  noBundles: "There is no proof bundle in it.",
  names: "Every proof is of the consent that its file is named after.",
  namesOther: (names: readonly string[]) =>
    `Not of the consent that the file names: ${list(names)}.`,
  count: (count: number) => `As many proofs as the manifest tells: ${count}.`,
  countOther: (told: number, found: number) =>
    `The manifest tells of ${told} proofs, and there are ${found}.`,
  checkpoint: "Every proof is under the one checkpoint of log/checkpoint.txt.",
  checkpointOther: (names: readonly string[]) =>
    `Not under the checkpoint of log/checkpoint.txt: ${list(names)}.`,
  pending: (count: number) =>
    `${count} of its consents had no place in the log yet, and are not proven: ask for it again.`,
};

const fr: typeof en = {
  manifest: (project, askedAt) => `Un dossier du projet ${project}, demandé le ${askedAt}.`,
  noManifest: (reason) => `Le manifeste ne se lit pas : ${reason}`,
  noDossier: "Pas un dossier : seules les preuves elles-mêmes sont vérifiées.",
  sums: (count) => `Les ${count} fichiers sont tels que SHA256SUMS les dit.`,
  changed: (names) => `Modifiés depuis que SHA256SUMS a été fait : ${list(names)}.`,
  missing: (names) => `Manquent, bien que SHA256SUMS les nomme : ${list(names)}.`,
  unlisted: (names) => `Absents de SHA256SUMS : ${list(names)}.`,
  bundles: (proven, all) => `${proven} preuves sur ${all} sont établies.`,
  noBundles: "Il n’y a aucune preuve dedans.",
  names: "Chaque preuve est celle du consentement que nomme son fichier.",
  namesOther: (names) => `Pas celle du consentement que nomme le fichier : ${list(names)}.`,
  count: (count) => `Autant de preuves que le manifeste en annonce : ${count}.`,
  countOther: (told, found) => `Le manifeste annonce ${told} preuves, et il y en a ${found}.`,
  checkpoint: "Chaque preuve se rattache au seul point de contrôle de log/checkpoint.txt.",
  checkpointOther: (names) =>
    `Ne se rattachent pas au point de contrôle de log/checkpoint.txt : ${list(names)}.`,
  pending: (count) =>
    `${count} de ses consentements n’avaient pas encore de place dans le journal et ne sont pas prouvés : redemandez-le.`,
};

/** What is told of a dossier as a whole. */
export type DossierWords = typeof en;
export const dossierWords: Record<Language, DossierWords> = { en, fr };
