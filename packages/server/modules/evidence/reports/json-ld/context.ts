/**
 * The namespace of terms that no public vocabulary has, such as a record's position in the log and its two clocks.
 * A UUID, since it cannot expire or be taken over as a domain can. docs/reference/proofs.md lists the terms.
 */
export const TERMS = "urn:uuid:253a4fc8-4350-4cea-88a0-e621380b3492#";

const iri = { "@type": "@id" } as const;
const dateTime = { "@type": "xsd:dateTime" } as const;
const integer = { "@type": "xsd:integer" } as const;
const duration = { "@type": "xsd:duration" } as const;
const text = { "@type": "xsd:string" } as const;

/** Inline, so that a reader never needs a network. */
export const jsonLdContext = {
  "@version": 1.1,
  dpv: "https://w3id.org/dpv#",
  "dpv-27560": "https://w3id.org/dpv/schema/dpv-27560#",
  dct: "http://purl.org/dc/terms/",
  rdf: "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  skos: "http://www.w3.org/2004/02/skos/core#",
  xsd: "http://www.w3.org/2001/XMLSchema#",
  avow: TERMS,
  "dct:conformsTo": { "@id": "dct:conformsTo", ...iri },
  "dct:created": { "@id": "dct:created", ...dateTime },
  "dct:issued": { "@id": "dct:issued", ...dateTime },
  "dpv:hasApplicability": { "@id": "dpv:hasApplicability", ...iri },
  "dpv:hasLegalBasis": { "@id": "dpv:hasLegalBasis", ...iri },
  "dpv:hasNecessity": { "@id": "dpv:hasNecessity", ...iri },
  "dpv:isIndicatedAtTime": { "@id": "dpv:isIndicatedAtTime", ...dateTime },
  "skos:broader": { "@id": "skos:broader", ...iri },
  "avow:duration": { "@id": "avow:duration", ...duration },
  "avow:validUntil": { "@id": "avow:validUntil", ...dateTime },
  "avow:visitorClock": { "@id": "avow:visitorClock", ...dateTime },
  "avow:serviceClock": { "@id": "avow:serviceClock", ...dateTime },
  "avow:importedFileClock": { "@id": "avow:importedFileClock", ...dateTime },
  "avow:displayedAt": { "@id": "avow:displayedAt", ...dateTime },
  "avow:skewMilliseconds": { "@id": "avow:skewMilliseconds", ...integer },
  "avow:logIndex": { "@id": "avow:logIndex", ...integer },
  "avow:treeSize": { "@id": "avow:treeSize", ...integer },
  "avow:publishedVersion": { "@id": "avow:publishedVersion", ...integer },
  "avow:sha256": { "@id": "avow:sha256", ...text },
  "avow:rootHash": { "@id": "avow:rootHash", ...text },
  "avow:keyId": { "@id": "avow:keyId", ...text },
} as const;
