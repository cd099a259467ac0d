import { vendorsOf } from "@avow/contract/published";
import { type Fault, type Rule, toTitle } from "./finding.ts";

/** A variant is only shown instead of an existing configuration. */
const variantUnknown: Rule = {
  id: "variant-unknown",
  severity: "error",
  source: "docs/reference/widget.md, A/B tests",
  find: ({ cookies }) =>
    cookies.flatMap(({ settings, identifier }, at): Fault[] => {
      const original = settings?.variantOf;
      const isKnown = cookies.some(
        (one) =>
          one.identifier !== identifier &&
          one.settings?.variantOf === undefined &&
          (one.name === original || one.identifier === original),
      );
      if (original === undefined || isKnown) return [];
      return [
        {
          path: `/cookies/${at}/settings/variantOf`,
          message: `The variant is never shown, because there is no configuration “${original}”.`,
          about: [original],
          fix: "Enter the name of a configuration that is no variant itself.",
        },
      ];
    }),
};

/** Both variants ask for the same, in the same language: otherwise the test compares other things than looks and words. */
const variantDiffers: Rule = {
  id: "variant-differs",
  severity: "error",
  source: "docs/reference/widget.md, A/B tests",
  find: ({ cookies }) =>
    cookies.flatMap((variant, at): Fault[] => {
      const { variantOf } = variant.settings ?? {};
      const original = cookies.find(
        (one) => one.name === variantOf || one.identifier === variantOf,
      );
      if (variantOf === undefined || !original) return [];
      const listNames = (one: typeof variant): string =>
        JSON.stringify([one.language, [...vendorsOf(one).keys()].toSorted()]);
      if (listNames(variant) === listNames(original)) return [];
      return [
        {
          path: `/cookies/${at}/steps`,
          message: `The variant has another language or other vendors than “${toTitle(original)}”.`,
          about: [toTitle(original)],
          fix: "Use the same language and the same vendors in both.",
        },
      ];
    }),
};

export const variantRules: readonly Rule[] = [variantUnknown, variantDiffers];
