import { Type, type Static } from "typebox";
import { Links, Token } from "@avow/contract/consents";
import { instantIn } from "@avow/contract/instants";

const Instant = Type.String({ format: "date-time" });

export const LinkIn = Type.Object({
  token: Token,
  expiresAt: Type.Optional(
    instantIn("The end of its validity, at most 366 days ahead. Default: 30 days."),
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
    url: Type.String({ description: "The page's address. It is returned only once." }),
  },
  { title: "NewPersonLink" },
);
export type NewLinkOut = Static<typeof NewLinkOut>;

export const AnswersIn = Type.Object({ token: Token });

export const AnswersOut = Type.Object(
  {
    answers: Type.Array(
      Type.Object({
        collection: Type.String(),
        identifier: Type.String({ description: "Identifier of the configuration." }),
        item: Type.String({ description: "A vendor's name; '' for a configuration as a whole." }),
        status: Type.String({ description: "`accepted`, `refused`, `withdrawn` or `expired`." }),
        since: Instant,
      }),
      { description: "Ordered by identifier and item; at most 5,000." },
    ),
    readAt: Type.String({ format: "date-time", description: "By the service's clock." }),
    links: Links,
  },
  { title: "PersonAnswers" },
);

/** A form of the page. */
export const AnswerIn = Type.Object({
  do: Type.Enum(["accept", "refuse", "undo", "end", "request-erasure"]),
  identifier: Type.Optional(Type.String({ maxLength: 64 })),
  vendor: Type.Optional(Type.String({ maxLength: 128 })),
  /** The record to undo. */
  consent: Type.Optional(Type.String({ maxLength: 64 })),
  /** The link to deactivate, or `all`; default: the page's own. */
  link: Type.Optional(Type.String({ maxLength: 64 })),
});
export type AnswerIn = Static<typeof AnswerIn>;

/** The query of the page. */
export const PageQueryIn = Type.Object({
  /** The record that was just created by the page. */
  saved: Type.Optional(Type.String({ maxLength: 64 })),
  /** Shows the confirmation to deactivate the page's own link (`ask`), or all links (`all`). */
  end: Type.Optional(Type.String({ maxLength: 8 })),
  /** `ask`: shows the confirmation of a request for erasure. */
  erase: Type.Optional(Type.String({ maxLength: 8 })),
});
