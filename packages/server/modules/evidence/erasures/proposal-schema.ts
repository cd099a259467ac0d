import { type Static, Type } from "typebox";
import { Links, Token } from "@avow/contract/consents";

const Instant = Type.String({ format: "date-time" });

export const ErasureProposalOut = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    token: Token,
    proposedBy: Type.String({
      description: "The user who proposed it, or whose API key did. Another owner decides.",
    }),
    proposedAt: Instant,
    expiresAt: Type.String({
      format: "date-time",
      description: "14 days after the proposal. Nothing is erased then.",
    }),
    dueAt: Type.Optional(
      Type.String({
        format: "date-time",
        description:
          "A month after the person's own request (GDPR, article 12(3)). Absent without an open request.",
      }),
    ),
    links: Links,
  },
  { title: "ErasureProposal" },
);
export type ErasureProposalOut = Static<typeof ErasureProposalOut>;

export const ErasureRuleOut = Type.Object(
  {
    needsSecondPerson: Type.Boolean({
      description: "Whether an erasure waits until a second owner confirms it.",
    }),
  },
  { title: "ErasureRule", additionalProperties: false },
);
