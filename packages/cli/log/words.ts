// Texts of `avow log check` in English and French, in addition to those of the verifier.
import type { Verdict } from "@avow/verifier/checks";
import type { Language } from "@avow/verifier";

/** Counts of what was checked against the log. */
interface Tally {
  places: number;
  consents: number;
  publications: number;
  erased: number;
}

interface Words {
  checkpoint: (origin: string, size: number) => string;
  tree: (size: number) => string;
  treeOther: (size: number) => string;
  tiles: string;
  tilesOther: (path: string, count: number) => string;
  shrunk: (kept: number, size: number) => string;
  keptNone: string;
  key: (key: string, index: number) => string;
  keyTrusted: (key: string, index: number) => string;
  keyOther: (index: number) => string;
  records: (tally: Tally) => string;
  more: (findings: number) => string;
  written: (file: string) => string;
  notWritten: (file: string) => string;
  verdicts: Record<Verdict, string>;
}

const en: Words = {
  checkpoint: (origin, size) => `The log ${origin} claims ${size} entries.`,
  tree: (size) => `The tree recomputed from all ${size} entries is the one that was signed.`,
  treeOther: (size) =>
    `The tree recomputed from the ${size} entries is not the one that was signed: an entry was changed, moved or removed.`,
  tiles: "Every hash tile matches the entries.",
  tilesOther: (path, count) =>
    `${count === 1 ? "A hash tile does" : `At least ${count} hash tiles do`} not match the entries: ${path}. Proofs made from ${count === 1 ? "it" : "them"} do not verify.`,
  shrunk: (kept, size) =>
    `The log has ${size} entries, but had ${kept} when you saved the checkpoint: entries were removed.`,
  keptNone: "There is no older checkpoint to compare with yet.",
  key: (key, index) =>
    `At index ${index} the log announces a key, under a signature that you trust: ${key} You can trust it as well.`,
  keyTrusted: (key, index) =>
    `At index ${index}, which your saved checkpoint covers, the log announced its new key: ${key}`,
  keyOther: (index) =>
    `The log claims to have announced a key at index ${index}, but the entry there is a different one.`,
  records: ({ places, consents, publications, erased }) => {
    const leaves = erased === 1 ? "1 leaf was" : `${erased} leaves were`;
    const gone = erased > 0 ? `; ${leaves} erased, as the log records` : "";
    return `All ${places} records and documents match their commitments in the log${gone}. All ${consents} consents and ${publications} publications are in the log or pending.`;
  },
  more: (findings) => `… and ${findings} more findings.`,
  written: (file) => `The checkpoint was saved to ${file}.`,
  notWritten: (file) => `${file} was not changed.`,
  verdicts: {
    proven: "The log is valid.",
    open: "The log is consistent, but not everything could be verified.",
    broken: "The log is not valid.",
  },
};

const fr: Words = {
  checkpoint: (origin, size) => `Le journal ${origin} annonce ${size} entrées.`,
  tree: (size) => `L’arbre, recalculé à partir des ${size} entrées, est celui qui a été signé.`,
  treeOther: (size) =>
    `Les ${size} entrées ne donnent pas l’arbre qui a été signé : l’une d’elles a été modifiée, déplacée ou supprimée.`,
  tiles: "Chaque tuile d’empreintes correspond aux entrées.",
  tilesOther: (path, count) =>
    `${count === 1 ? "Une tuile" : `Au moins ${count} tuiles`} d’empreintes ne ${count === 1 ? "correspond" : "correspondent"} pas aux entrées : ${path}. Les preuves qui en sont tirées ne peuvent pas être vérifiées.`,
  shrunk: (kept, size) =>
    `Le journal a ${size} entrées, mais il en comptait ${kept} quand vous avez enregistré le point de contrôle : des entrées ont été supprimées.`,
  keptNone: "Il n’y a pas encore de point de contrôle plus ancien auquel le comparer.",
  key: (key, index) =>
    `À l’indice ${index}, le journal annonce une clé, sous une signature de confiance : ${key} Vous pouvez désormais lui faire confiance.`,
  keyTrusted: (key, index) =>
    `À l’indice ${index}, couvert par votre point de contrôle, le journal a annoncé sa nouvelle clé : ${key}`,
  keyOther: (index) =>
    `Le journal prétend avoir annoncé une clé à l’indice ${index}, mais l’entrée qui s’y trouve est différente.`,
  records: ({ places, consents, publications, erased }) => {
    const leaves = erased === 1 ? "1 feuille a été effacée" : `${erased} feuilles ont été effacées`;
    const gone = erased > 0 ? ` ; ${leaves}, comme l’indique le journal` : "";
    return `Les ${places} enregistrements et documents correspondent tous à leur engagement dans le journal${gone}. Les ${consents} consentements et les ${publications} publications sont tous dans le journal ou en attente.`;
  },
  more: (findings) => `… et ${findings} autres constats.`,
  written: (file) => `Le point de contrôle a été enregistré dans ${file}.`,
  notWritten: (file) => `${file} n’a pas été modifié.`,
  verdicts: {
    proven: "Le journal est valide.",
    open: "Le journal est cohérent, mais tout n’a pas pu être vérifié.",
    broken: "Le journal n’est pas valide.",
  },
};

export const logWords: Record<Language, Words> = { en, fr };
