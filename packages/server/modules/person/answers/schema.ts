import { Type, type Static } from "typebox";
import { Links, Token } from "@avow/contract/consents";

const Instant = Type.String({ format: "date-time" });

/** Whose page a link opens, and until when. */
export const LinkIn = Type.Object({
  token: Token,
  expiresAt: Type.Optional(
    Type.String({
      format: "date-time",
      description: "At most 366 days ahead; 30 days where nothing is said.",
    }),
  ),
});
export type LinkIn = Static<typeof LinkIn>;

const link = {
  id: Type.String(),
  projectId: Type.String(),
  token: Token,
  createdAt: Instant,
  createdBy: Type.String({ description: "A user's id, or `visitor`." }),
  expiresAt: Instant,
  links: Links,
};

export const LinkOut = Type.Object(link, { title: "PersonLink" });
export type LinkOut = Static<typeof LinkOut>;

export const NewLinkOut = Type.Object(
  {
    ...link,
    url: Type.String({ description: "The page's address. It is answered this once." }),
  },
  { title: "NewPersonLink" },
);
export type NewLinkOut = Static<typeof NewLinkOut>;

/** Whose answers are asked for. */
export const AnswersIn = Type.Object({ token: Token });

export const AnswersOut = Type.Object(
  {
    answers: Type.Array(
      Type.Object({
        collection: Type.String(),
        identifier: Type.String({ description: "The configuration's." }),
        item: Type.String({ description: "A vendor's name; '' in a box." }),
        status: Type.String({ description: "`accepted`, `refused`, `withdrawn` or `expired`." }),
        since: Instant,
      }),
      { description: "In the order of identifiers and items; 5,000 at most." },
    ),
    readAt: Type.String({ format: "date-time", description: "By the service's clock." }),
    links: Links,
  },
  { title: "PersonAnswers" },
);

/** What a form of the page says. */
export const AnswerIn = Type.Object({
  do: Type.Enum(["accept", "refuse", "undo", "end"]),
  identifier: Type.Optional(Type.String({ maxLength: 64 })),
  vendor: Type.Optional(Type.String({ maxLength: 128 })),
  /** What is undone. */
  consent: Type.Optional(Type.String({ maxLength: 64 })),
});
export type AnswerIn = Static<typeof AnswerIn>;

/** What the page's address says beside the link. */
export const PageQueryIn = Type.Object({
  /** The record that was just made here. */
  saved: Type.Optional(Type.String({ maxLength: 64 })),
  /** `ask`: whether the link is really to be ended. */
  end: Type.Optional(Type.String({ maxLength: 8 })),
});
