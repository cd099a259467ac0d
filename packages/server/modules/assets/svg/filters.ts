/** Limits of the renderer for octaves and radius. */
const OCTAVES_MAX = 10;
const RADIUS_MAX = 10;

type Attributes = Readonly<Record<string, string>>;

/** Measured costs; one pass is 50 ms for a picture of one megapixel. */
const works: Record<string, (attributes: Attributes) => number> = {
  feGaussianBlur: () => 3,
  feDropShadow: () => 5,
  feDiffuseLighting: () => 3,
  feSpecularLighting: () => 3,
  feDisplacementMap: () => 20,
  feTurbulence: ({ numOctaves }) => 1 + largest(numOctaves, 1, OCTAVES_MAX),
  feMorphology: ({ radius }) => 1 + (2 * largest(radius, 0, RADIUS_MAX) + 1) ** 2 / 7,
  feConvolveMatrix: ({ order }) => 1 + largest(order, 3, 100) ** 2 / 5,
};

/** The cost of a filter primitive, in passes over the picture; 0 for any other element. */
export function workOf(name: string, attributes: Attributes): number {
  if (!/^fe[A-Z]/.test(name) || /^fe(?:Func[ABGR]|MergeNode|\w+Light)$/.test(name)) return 0;
  return works[name]?.(attributes) ?? 1;
}

function largest(text: string | undefined, usual: number, most: number): number {
  const numbers = (text ?? "").match(/[\d.]+(?:e[+-]?\d+)?/gi)?.map(Number) ?? [usual];
  return Math.min(most, Math.max(...numbers.map((one) => (Number.isNaN(one) ? most : one))));
}
