const provider = "needs a sign-in provider, which tests of social sign-in run against a stand-in";
const stripe = "needs the payment provider, which billing tests run against a stand-in";
const secondPerson = "needs a second owner, whom test/interface/second-person.test.ts has";
const timestamps =
  "needs a time-stamping authority, which test/log/timestamps.test.ts stands in for";

/** Operations that the run does not send, each with the reason. */
export const notCovered: Readonly<Record<string, string>> = {
  "POST /v1/auth/exchange": provider,
  "POST /v1/auth/session/exchange": provider,
  "DELETE /v1/auth/identities/{id}": `${provider}; the last identity cannot be removed`,
  "POST /v1/client/{id}/erasure-proposals/{proposalId}/confirmation": secondPerson,
  "DELETE /v1/client/{id}/erasure-proposals/{proposalId}": secondPerson,
  "GET /v1/auth/{provider}": provider,
  "GET /v1/auth/{provider}/callback": provider,
  "POST /v1/billing/checkout": stripe,
  "POST /v1/billing/portal": stripe,
  "POST /v1/billing/webhook": stripe,
  "GET /v1/publish/tcf/vendors":
    "needs IAB's vendor list, which test/interface/publish-tcf.test.ts has",
  "GET /log/checkpoint/witnessed":
    "needs a witness, which test/log/witnesses.test.ts stands in for",
  "GET /log/tile/{level}/{index}": "needs a full tile: 256 entries of the log",
  "GET /log/timestamps/{size}.tsr": timestamps,
  "GET /log/timestamps/{size}.txt": timestamps,
};

/**
 * Requests that Prism 5.16 cannot forward or validate. Operations are covered by other requests; the
 * interface tests cover these.
 */
export const notSent = {
  "binary files in multipart/form-data":
    "Prism forwards a body as text, so that a PNG arrives with replaced bytes (415). The run uploads SVG.",
  "answers of application/ld+json":
    "Prism validates every type with the suffix +json against the first of application/json.",
  "answers of text/event-stream": "Prism reads a whole answer before it forwards it.",
} as const;
