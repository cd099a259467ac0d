import type { JsonObject } from "@avow/contract/json";

/** A node of JSON-LD. */
export type Node = JsonObject;

const tagPattern = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/;

/**
 * The explicit value of a field that the operator never published: applicable but not available, in terms of DPV.
 */
export function notStated(type?: string): Node {
  return {
    ...(type === undefined ? {} : { "@type": type }),
    "dpv:hasApplicability": "dpv:NotAvailable",
    "skos:prefLabel": { "@value": "not stated", "@language": "en" },
  };
}

/** A text, with its language if that is a valid language tag. */
export function toText(text: string, language: unknown): Node | string {
  return typeof language === "string" && tagPattern.test(language)
    ? { "@value": text, "@language": language }
    : text;
}

/** A text with its language, or "not stated". */
export function toTextOrNotStated(text: string | undefined, language: unknown): Node | string {
  return text === undefined ? notStated() : toText(text, language);
}
