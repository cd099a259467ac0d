import type { Schema } from "hast-util-sanitize";

const allowed =
  "p br div span blockquote code h2 h3 h4 h5 h6 strong b em i u s small ul ol li a".split(" ");

/** Elements that are removed with their content, which is not text for a reader. */
const dropped = [
  "applet audio canvas embed frameset iframe math noembed noframes noscript object script",
  "select style svg template textarea title video xmp",
].flatMap((names) => names.split(" "));

/** http, https, mailto and tel addresses, and relative ones (no colon before a slash, ? or #). */
const safeAddress = /^(?:(?:https?|mailto|tel):|[^:/?#]*(?:[/?#]|$))/i;

/**
 * The HTML allowed in a widget's messages. Every top-level key is set, since the package's defaults allow more.
 * Elements not listed here are replaced by their content.
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
