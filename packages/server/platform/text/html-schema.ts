import type { Schema } from "hast-util-sanitize";

const allowed =
  "p br div span blockquote code h2 h3 h4 h5 h6 strong b em i u s small ul ol li a".split(" ");

/** Elements that go with all that they hold: their content is no text for a reader. */
const dropped = [
  "applet audio canvas embed frameset iframe math noembed noframes noscript object script",
  "select style svg template textarea title video xmp",
].flatMap((names) => names.split(" "));

/** http, https, mailto and tel addresses, and relative ones (no colon before a slash, ? or #). */
const safeAddress = /^(?:(?:https?|mailto|tel):|[^:/?#]*(?:[/?#]|$))/i;

/**
 * What a widget's message may hold. Every top-level key is set: a missing one would mean the
 * package's default, which is wider. Elements that are not named here leave their content.
 */
export const messageSchema: Schema = {
  tagNames: allowed,
  attributes: {
    "*": ["className", ["lang", /^[a-z0-9-]{1,35}$/i], ["dir", /^(?:ltr|rtl|auto)$/i]],
    a: [
      ["href", safeAddress],
      ["target", /^_(?:blank|self|parent|top)$/i],
      ["rel", /^[a-z-]{1,40}$/i],
      "title",
    ],
  },
  strip: dropped,
  ancestors: {},
  clobber: [],
  clobberPrefix: "",
  protocols: {},
  required: {},
  allowComments: false,
  allowDoctypes: false,
};
