type Fields = Record<string, unknown>;

/** Custom properties of the widget's style sheet; those whose names begin with `light-` are for a light ground alone. */
export type Theme = Record<string, string>;

const schemePattern = /^(light|dark)$/;

/** The widget's own ink on its own dark ground. */
const LIGHT = "#f3f3f5";
const lengthPattern = /^(0|\d{1,3}(\.\d{1,3})?(px|rem|em))$/;
const fontPattern = /^[\p{L}\p{N}\s"',._-]{1,300}$/u;
const colorPattern =
  /^(#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]{3,30}|(rgb|hsl|oklch|oklab|lab|lch|hwb)a?\([\d\s.,%/a-z-]{1,80}\))$/i;

/**
 * A project's design as the widget wears it; a value that is no colour, font or length is left out. Dark
 * grounds are the widget's own: colours that were chosen for a light one would be lost on them.
 */
export function toTheme(client: Fields): Theme {
  const [colors, fonts, widget, overlay] = [
    client["colors"],
    client["fonts"],
    client["widgetStyle"],
    client["overlayStyle"],
  ].map(fieldsOf);
  const main = matching(colorPattern, colors?.["main"]);
  const text = matching(colorPattern, colors?.["text"]);
  const title = matching(colorPattern, colors?.["title"]);
  return withoutAbsent({
    scheme: matching(schemePattern, widget?.["colorScheme"]),
    main,
    on: main && toReadable(main),
    title: matching(fontPattern, fonts?.["title"]),
    text: matching(fontPattern, fonts?.["text"]),
    r: toLength(widget?.["borderRadius"]),
    p: toLength(widget?.["padding"]),
    ground: matching(colorPattern, overlay?.["background"]),
    "light-bg": matching(colorPattern, colors?.["background"]),
    "light-ink": text,
    head: title && `light-dark(${title}, ${LIGHT})`,
  });
}

/** Of a colour's relative luminance (WCAG 2.2): above it black reads better, below it white. */
const MIDDLE = 0.179;

/**
 * Black or white, whichever reads better on a colour (WCAG 2.2, 1.4.3). A colour by its name or by a
 * function is left to the browser, which knows them all.
 */
export function toReadable(color: string): string {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(color)?.[1];
  if (digits === undefined) {
    const luminance = "0.2126 * r + 0.7152 * g + 0.0722 * b";
    const part = `clamp(0, (${MIDDLE} - (${luminance})) * 99999, 1)`;
    return `color(from ${color} srgb-linear ${part} ${part} ${part} / 1)`;
  }
  const whole = digits.length === 3 ? digits.replace(/./g, "$&$&") : digits;
  const [r = 0, g = 0, b = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(whole.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > MIDDLE ? "#000" : "#fff";
}

function toLength(value: unknown): string | undefined {
  return matching(lengthPattern, typeof value === "number" ? `${value}px` : value);
}

function matching(pattern: RegExp, value: unknown): string | undefined {
  return typeof value === "string" && pattern.test(value) ? value : undefined;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function withoutAbsent(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
