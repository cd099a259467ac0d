import { Type, type Static } from "typebox";
import { Links, Token } from "@avow/contract/consents";

const Instant = Type.String({ format: "date-time" });

export const ErasureRequestOut = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    token: Token,
    requestedAt: Instant,
    dueAt: Type.String({
      format: "date-time",
      description: "A month after the request (GDPR, article 12(3)).",
    }),
    links: Links,
  },
  { title: "ErasureRequest" },
);
export type ErasureRequestOut = Static<typeof ErasureRequestOut>;
