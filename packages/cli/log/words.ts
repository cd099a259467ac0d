// What `avow log check` says, beside the sentences of the verifier, in its languages.
import type { Verdict } from "@avow/verifier/checks";
import type { Language } from "@avow/verifier";

/** What was held against the log where nothing was found. */
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
  checkpoint: (origin, size) => `The log ${origin} says that it has ${size} entries.`,
  tree: (size) => `The tree, made again from all ${size} entries, is the one that was signed.`,
  treeOther: (size) =>
    `The ${size} entries do not make the tree that was signed: one of them was changed, moved or taken out.`,
  tiles: "Every tile of hashes is what the entries make.",
  tilesOther: (path, count) =>
    `${count === 1 ? "A tile" : `At least ${count} tiles`} of hashes ${count === 1 ? "is" : "are"} not what the entries make: ${path}. Proofs made of it do not verify.`,
  shrunk: (kept, size) =>
    `The log has ${size} entries, and it had ${kept} when you kept the checkpoint: what was in it was taken out.`,
  keptNone: "There is no older checkpoint to compare it with yet.",
  key: (key, index) =>
    `At index ${index} the log announces a key, under a signature that you trust: ${key} Trust it too from now on.`,
  keyTrusted: (key, index) =>
    `At index ${index}, which the checkpoint that you kept covers, the log announced its new key: ${key}`,
  keyOther: (index) =>
    `The log says that it announced a key at index ${index}, and the entry there is another.`,
  records: ({ places, consents, publications, erased }) => {
    const leaves = erased === 1 ? "1 leaf was" : `${erased} leaves were`;
    const gone = erased > 0 ? `, and ${leaves} erased, as the log says` : "";
    return `Every one of ${places} records and documents is what the log committed to${gone}; all of ${consents} consents and ${publications} publications are in it or wait for it.`;
  },
  more: (findings) => `… and ${findings} more findings.`,
  written: (file) => `The checkpoint is kept in ${file}.`,
  notWritten: (file) => `${file} stays as it is.`,
  verdicts: {
    proven: "The log holds.",
    open: "Everything fits together, but not everything is established.",
    broken: "The log does not hold.",
  },
};

const fr: Words = {
  checkpoint: (origin, size) => `Le registre ${origin} annonce ${size} entrées.`,
  tree: (size) => `L’arbre, recalculé à partir des ${size} entrées, est celui qui a été signé.`,
  treeOther: (size) =>
    `Les ${size} entrées ne donnent pas l’arbre qui a été signé : l’une d’elles a été modifiée, déplacée ou retirée.`,
  tiles: "Chaque tuile d’empreintes est celle que donnent les entrées.",
  tilesOther: (path, count) =>
    `${count === 1 ? "Une tuile" : `Au moins ${count} tuiles`} d’empreintes ne ${count === 1 ? "correspond" : "correspondent"} pas aux entrées : ${path}. Les preuves qui en sont faites ne sont pas justes.`,
  shrunk: (kept, size) =>
    `Le registre a ${size} entrées, et il en avait ${kept} quand vous avez gardé le point de contrôle : on en a retiré.`,
  keptNone: "Il n’y a pas encore de point de contrôle plus ancien auquel le comparer.",
  key: (key, index) =>
    `À l’indice ${index}, le registre annonce une clé, sous une signature à laquelle vous vous fiez : ${key} Fiez-vous aussi à elle désormais.`,
  keyTrusted: (key, index) =>
    `À l’indice ${index}, que couvre le point de contrôle que vous avez gardé, le registre a annoncé sa nouvelle clé : ${key}`,
  keyOther: (index) =>
    `Le registre dit avoir annoncé une clé à l’indice ${index}, et l’entrée qui s’y trouve est une autre.`,
  records: ({ places, consents, publications, erased }) => {
    const leaves = erased === 1 ? "1 feuille a été effacée" : `${erased} feuilles ont été effacées`;
    const gone = erased > 0 ? `, et ${leaves}, comme le dit le registre` : "";
    return `Chacun des ${places} enregistrements et documents est ce à quoi le registre s’est engagé${gone} ; les ${consents} consentements et les ${publications} publications y sont tous, ou attendent d’y être.`;
  },
  more: (findings) => `… et ${findings} autres constats.`,
  written: (file) => `Le point de contrôle est gardé dans ${file}.`,
  notWritten: (file) => `${file} reste tel quel.`,
  verdicts: {
    proven: "Le registre est juste.",
    open: "Tout concorde, mais tout n’est pas établi.",
    broken: "Le registre n’est pas juste.",
  },
};

export const logWords: Record<Language, Words> = { en, fr };
