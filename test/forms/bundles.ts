import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import type { ProofBundleOut } from "../../packages/server/modules/evidence/log/schema.ts";
import { TestLog, consentRecord } from "../verifier/log.ts";

const projectId = "6741f0a2c9e77c0012ab34cd";
const identifier = "6741f0a2c9e77c0012ab34ce";

/** A banner in French, with an HTML message and vendors of each kind. */
export const cookies = {
  identifier,
  projectId,
  title: "Vos choix en matière de cookies",
  language: "fr",
  settings: { expiresAfterDays: 180 },
  strings: { acceptAll: "Tout accepter", refuseAll: "Tout refuser", save: "Enregistrer mes choix" },
  steps: [
    {
      name: "accueil",
      layout: "welcome",
      topTitle: "Avant de continuer",
      title: "Nous aimerions compter nos visites",
      message:
        '<p>Nous utilisons des <b>traceurs</b> pour savoir quelles pages sont lues.</p><ul><li>Refuser ne change rien au site.</li><li>Vous pouvez changer d’avis à tout moment : <a href="https://boutique.example/cookies">vos choix</a>.</li></ul>',
    },
    {
      name: "mesure",
      layout: "category",
      title: "Mesure d’audience",
      vendors: [
        {
          name: "matomo",
          title: "Matomo",
          domain: "matomo.org",
          type: "analytics",
          policyUrl: "https://matomo.org/privacy-policy/",
          shortDescription: "Compte les visites sans vous suivre d’un site à l’autre.",
        },
        {
          name: "carte",
          title: "Carte",
          domain: "maps.example",
          shortDescription: "Affiche le plan de nos magasins.",
        },
        { name: "session", title: "Session", required: true },
        { name: "video", title: "Vidéo", domain: "video.example" },
      ],
    },
  ],
};

/** A processing with all optional fields. */
export const processing = {
  identifier,
  projectId,
  title: "Newsletter",
  language: "en",
  message: "<p>News, once a month.</p>",
  purpose: "Send news",
  accept: "I want the news",
  buttons: [{ text: "Yes, please", color: "primary" }, { text: "No, thank you" }],
  personalDataTypes: ["email", "first name"],
  processors: [{ name: "Mailer", role: "sends", website: "https://mailer.example/" }],
  consentWithdraw: "Write to dpo@shop.example",
  storageDuration: 12,
  automatedDecisions: true,
  automatedDecisionsDetails: "Topics are chosen by what you open.",
  automatedDecisionsContact: "dpo@shop.example",
};

const answer = (given: string, name: string) => ({
  answer: given,
  days: 180,
  name,
  substance: "0".repeat(32),
});

const answers = {
  "": answer("accepted", cookies.title),
  matomo: answer("accepted", "Matomo"),
  carte: answer("refused", "Carte"),
};

export const officer = {
  organization: "Boutique SAS",
  fullname: "Claire Fontaine",
  email: "dpo@boutique.example",
  address: "12 rue des Lilas\n75011 Paris",
};

interface BundleParts {
  /** Members of the consent's record. */
  record?: Record<string, unknown>;
  /** Members of the published content; null for a bundle without a publication. */
  content?: Record<string, unknown> | null;
}

/** A bundle as the service makes it, of a log with a hundred entries. */
export function newBundle({ record = {}, content = {} }: BundleParts = {}): ProofBundleOut {
  const published = content && {
    projectId,
    projectName: "Boutique",
    client: { DPO: officer },
    dpo: {},
    cookies: [cookies],
    processings: [],
    contracts: [],
    ...content,
  };
  const text = canonicalize(published) ?? "";
  const publication = published && hash("sha256", text);
  const log = new TestLog();
  log.fill(98);
  const shown = log.add({
    type: "publication",
    v: 1,
    projectId,
    environment: "production",
    version: 3,
    hash: publication,
    size: Buffer.byteLength(text),
    publishedAt: "2026-11-19T08:00:00.000Z",
  });
  const whole = { ...consentRecord, answers, publication, version: published && 3, ...record };
  const consent = log.add(whole);
  const prove = ({ index, record: of, salt }: typeof consent) => ({
    record: of,
    salt: salt.toString("base64"),
    proof: log.proof(index),
  });
  return {
    format: "avow-proof-bundle/v1",
    origin: log.origin,
    keys: log.keys.map((key) => key.text),
    consent: prove(consent) as ProofBundleOut["consent"],
    publication: published && ({ ...prove(shown), content: text } as ProofBundleOut["publication"]),
  };
}
