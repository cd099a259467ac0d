import { Type } from "typebox";

/** A code of an authenticator app, or a recovery code. Spaces and hyphens are ignored. */
export const Code = Type.String({
  minLength: 1,
  maxLength: 64,
  description:
    "Required with a second factor: the current code of the authenticator app, or a recovery code.",
});

export const FactorBegunOut = Type.Object(
  {
    secret: Type.String({ description: "For an authenticator app, in base32. It is shown once." }),
    uri: Type.String({
      description: "The `otpauth:` address with the secret, to display as a QR code.",
    }),
  },
  { title: "SecondFactorBegun" },
);

export const FactorConfirmIn = Type.Object({ code: Code });

export const RecoveryCodesOut = Type.Object(
  {
    recoveryCodes: Type.Array(Type.String(), {
      description: "Each replaces a code of the app, once. They are shown once.",
    }),
  },
  { title: "RecoveryCodes" },
);
