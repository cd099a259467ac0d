import { Type, type Static } from "typebox";
import { instantIn } from "@avow/contract/instants";
import { scopeNames } from "../../../kernel/rights.ts";
import { TokenOut } from "../sessions/schema.ts";

export const KeyIn = Type.Object({
  label: Type.String({ minLength: 1, maxLength: 200 }),
  scopes: Type.Array(Type.Enum([...scopeNames]), {
    minItems: 1,
    maxItems: scopeNames.length,
    uniqueItems: true,
    description: "Scopes of the key; docs/reference/api-accounts.md describes each.",
  }),
  expiresAt: Type.Optional(instantIn("The end of its validity. Default: no expiry.")),
  projectId: Type.Optional(
    Type.String({ maxLength: 64, description: "Limits the key to one project." }),
  ),
});

export const KeyOut = Type.Object(
  {
    ...TokenOut.properties,
    token: Type.String({ description: "The key itself. It is shown once." }),
  },
  { title: "ApiKey" },
);
export type KeyOut = Static<typeof KeyOut>;
