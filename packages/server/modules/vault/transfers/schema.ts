import { Id } from "@avow/contract/document";
import { hrefOf, paths } from "@avow/contract/urls";
import { type Static, Type } from "typebox";
import { toAddressHint } from "../../../platform/mail/address-hint.ts";
import type { SentTransfer, TransferDetails } from "./offers.ts";
import type { TransferRow } from "./transfers-store.ts";

const DateTime = Type.String({ format: "date-time" });
const orNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ["string", "null"], description });

export const TransferParams = Type.Object({
  token: Type.String({
    maxLength: 100,
    description: "The token of a link, or the id of an offer.",
  }),
});

/** The contents of each project of the page are counted. */
export const OffersQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 1_000, default: 1, description: "1-based." }),
  perPage: Type.Integer({ minimum: 1, maximum: 25, default: 25 }),
});

export const TransferIn = Type.Object(
  {
    email: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 320,
        description: "The person who gets a link by mail. Either this or `organizationId`.",
      }),
    ),
    organizationId: Type.Optional(
      Type.String({
        pattern: "^[0-9a-f]{24}$",
        description: "the id of the organization whose owners may accept",
      }),
    ),
  },
  { title: "TransferIn" },
);

export const TransferAcceptIn = Type.Object(
  {
    organizationId: Type.String({
      pattern: "^[0-9a-f]{24}$",
      description: "the id of an organization that you own, which gets the project",
    }),
  },
  { title: "TransferAcceptIn" },
);

const offered = {
  id: Id,
  createdAt: DateTime,
  expiration: DateTime,
};

/** An offer for the owners of the project. */
export const TransferOut = Type.Object(
  {
    ...offered,
    email: orNull("Null if it is offered to an organization."),
    organizationId: orNull("Null if it is offered to a person."),
    links: Type.Object({ self: Type.String({ description: "DELETE revokes it." }) }),
  },
  { title: "Transfer" },
);
export const SentTransferOut = Type.Object(
  {
    ...TransferOut.properties,
    transferToken: Type.Optional(
      Type.Object({ value: Type.String({ description: "Shown once." }), expiration: DateTime }),
    ),
    mailed: Type.Boolean({
      description:
        "False where the address got too many mails today: hand the token over yourself.",
    }),
  },
  { title: "SentTransfer" },
);

/** An offer for its recipient. */
export const OfferedTransferOut = Type.Object(
  {
    ...offered,
    project: Type.Object({ title: Type.String(), websiteURL: Type.String() }),
    offeredBy: Type.Object({ displayName: Type.String() }),
    addressHint: orNull("The address that it is offered to, with most of it left out."),
    boundToAddress: Type.Boolean({
      description: "Only an account that has confirmed the address can accept.",
    }),
    organization: Type.Unsafe<{ id: string; name: string } | null>({
      anyOf: [
        {
          type: "object",
          required: ["id", "name"],
          properties: { id: Id, name: { type: "string" } },
        },
        { type: "null" },
      ],
      description: "The organization that it is offered to.",
    }),
    contents: Type.Object({
      configurations: Type.Integer({ description: "They move, with all consents and proofs." }),
      sharedVendors: Type.Integer({
        description: "Vendors of the old organization that the project uses: they are copied.",
      }),
      files: Type.Integer({ description: "Pictures and documents: they are copied." }),
      members: Type.Integer({
        description:
          "People with roles on the project or its organization: they lose access to the project.",
      }),
    }),
  },
  { title: "OfferedTransfer" },
);

export const AcceptedTransferOut = Type.Object(
  {
    projectId: Id,
    organizationId: Id,
    links: Type.Object({ project: Type.String(), organization: Type.String() }),
  },
  { title: "AcceptedTransfer" },
);

export function toTransferOut(row: TransferRow, publicUrl: string): Static<typeof TransferOut> {
  const { email, organization_id: organizationId, project_id: documentId } = row;
  const self = hrefOf(publicUrl, paths.projectTransfer, { documentId });
  return { ...toOffered(row), email, organizationId, links: { self } };
}

export function toSentTransferOut(
  { transfer, token, isMailed }: SentTransfer,
  publicUrl: string,
): Static<typeof SentTransferOut> {
  const expiration = transfer.expires_at.toISOString();
  return {
    ...toTransferOut(transfer, publicUrl),
    ...(token !== undefined && { transferToken: { value: token, expiration } }),
    mailed: isMailed,
  };
}

export function toOfferedTransferOut(
  { transfer, title, websiteURL, offerer, organization, contents }: TransferDetails,
  { isBound }: { isBound: boolean },
): Static<typeof OfferedTransferOut> {
  const { email } = transfer;
  return {
    ...toOffered(transfer),
    project: { title, websiteURL },
    offeredBy: { displayName: offerer },
    addressHint: email === null ? null : toAddressHint(email),
    boundToAddress: email !== null && isBound,
    organization: organization ?? null,
    contents,
  };
}

function toOffered({ id, created_at, expires_at }: TransferRow) {
  return { id, createdAt: created_at.toISOString(), expiration: expires_at.toISOString() };
}
