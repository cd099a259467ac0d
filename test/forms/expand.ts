import jsonld from "jsonld";

/** A node of expanded JSON-LD. */
export type Expanded = Record<string, unknown>;

export interface Quad {
  subject: string;
  predicate: string;
  object: string;
}

/** A processor that may read nothing: documents bring their contexts, and drop nothing in silence. */
const options = {
  safe: true,
  documentLoader: async (url: string): Promise<never> => {
    throw new Error(`${url} was asked for: the document has to do without a network`);
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
