import jsonld from "jsonld";

/** A node of expanded JSON-LD. */
export type Expanded = Record<string, unknown>;

export interface Quad {
  subject: string;
  predicate: string;
  object: string;
}

/** A processor without network access: documents bring their contexts, and no term may be dropped silently. */
const options = {
  safe: true,
  documentLoader: async (url: string): Promise<never> => {
    throw new Error(`The document may not load ${url}.`);
  },
};

export async function expand(document: object): Promise<Expanded[]> {
  return jsonld.expand(document, options);
}

export async function toQuads(document: object): Promise<Quad[]> {
  const quads = await jsonld.toRDF(document, options);
  return quads.map(({ subject, predicate, object }) => ({
    subject: subject.value,
    predicate: predicate.value,
    object: object.value,
  }));
}
