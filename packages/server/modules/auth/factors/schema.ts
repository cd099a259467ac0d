import { Type } from "typebox";

/** Of an authenticator app, or a recovery code: spaces and hyphens make no difference. */
export const Code = Type.String({
  minLength: 1,
  maxLength: 64,
  description:
    "Where the user has a second factor: the present code of their authenticator app, or a recovery code.",
});

export const FactorBegunOut = Type.Object(
  {
    secret: Type.String({ description: "For an authenticator app, in base32. It is shown once." }),
    uri: Type.String({ description: "The same with its names, to be shown as a QR code." }),
  },
  { title: "SecondFactorBegun" },
);

export const FactorConfirmIn = Type.Object({ code: Code });

export const RecoveryCodesOut = Type.Object(
  {
    recoveryCodes: Type.Array(Type.String(), {
      description: "Each stands in for a code of the app, once. They are shown once.",
    }),
  },
  { title: "RecoveryCodes" },
);
