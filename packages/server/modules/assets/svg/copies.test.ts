import assert from "node:assert/strict";
import { it } from "node:test";
import { sanitizeSvg } from "./sanitize.ts";

const clean = (inner: string) =>
  sanitizeSvg(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`));
const path = '<path d="M0 0h9v9z"/>';

/** Eight parts that each use the previous one twelve times: 12^8 in total. */
function nest(part: (at: number, inner: string) => string, use: (at: number) => string): string {
  const parts = Array.from({ length: 8 }, (_, at) =>
    part(at, at === 0 ? path : use(at - 1).repeat(12)),
  );
  return parts.join("") + use(7);
}

const pattern = (at: number, inner: string) => `<pattern id="p${at}">${inner}</pattern>`;
const bombs: Record<string, string> = {
  "by attributes": nest(pattern, (at) => `<rect fill="url(#p${at})"/>`),
  "by inherited properties": nest(
    (at, inner) => pattern(at, `<g${at > 0 ? ` stroke="url(#p${at - 1})"` : ""}>${inner}</g>`),
    (at) => (at === 7 ? '<rect fill="url(#p7)"/>' : "<rect/>"),
  ),
  "by the style of an element": nest(pattern, (at) => `<rect style="fill:url('#p${at}')"/>`),
  "by a style sheet": `<style>${Array.from({ length: 8 }, (_, at) => `@media all{g .c${at}{fill:url(#p${at})}}`).join("")}</style>${nest(pattern, (at) => `<rect class="x c${at}"/>`)}`,
  "by masks": nest(
    (at, inner) => `<mask id="p${at}">${inner}</mask>`,
    (at) => `<rect mask="url(#p${at})"/>`,
  ),
  "by clips": nest(
    (at, inner) => `<clipPath id="p${at}">${inner}</clipPath>`,
    (at) => `<rect clip-path="url(#p${at})"/>`,
  ),
  "by markers": nest(
    (at, inner) => `<marker id="p${at}">${inner}</marker>`,
    (at) => `<path d="M0 0 1 1 2 2" marker-mid="url(#p${at})"/>`,
  ),
  "by copies in patterns": `<path id="a" d="M0 0"/>${nest(pattern, (at) => `<use href="#a" fill="url(#p${at})"/>`)}`,
};

for (const [how, bomb] of Object.entries(bombs))
  it(`rejects an SVG that draws billions of elements ${how}`, () => {
    assert.ok(bomb.length < 10_000);
    assert.throws(() => clean(bomb), /draws more than/);
  });

it("rejects an SVG whose pattern is painted with itself", () => {
  assert.throws(
    () => clean('<pattern id="p"><rect fill="url(#p)"/></pattern><rect fill="url(#p)"/>'),
    /circular reference/,
  );
});

for (const [name, primitive] of Object.entries({
  turbulence: '<feTurbulence numOctaves="2000"/>',
  displacements: '<feDisplacementMap in2="SourceGraphic"/>',
  morphology: '<feMorphology radius="50"/>',
}))
  it(`rejects an SVG with filters that take minutes (${name}), and accepts one of each`, () => {
    const filtered = (count: number) =>
      `<filter id="f">${primitive.repeat(count)}</filter><rect filter="url(#f)"/>`;
    assert.throws(() => clean(filtered(60)), /filters of the SVG take too long/);
    assert.deepEqual(clean(filtered(1)).warnings, []);
  });

it("accepts an SVG of a drawing program: many shapes with gradients, clips, markers and shadows", () => {
  const stops = '<stop offset="0"/><stop offset="1"/>'.repeat(3);
  const drawn = [
    `<style>.a{fill:url(#g)}.b,.c{clip-path:url(#c)}</style><defs><linearGradient id="g">${stops}</linearGradient>`,
    '<radialGradient id="h" href="#g"/><clipPath id="c"><rect/></clipPath>',
    `<marker id="m">${path}</marker><filter id="s"><feGaussianBlur/><feOffset/><feMerge><feMergeNode/></feMerge></filter></defs>`,
    `<g fill="url(#h)">${'<path class="a b" d="M0 0h9v9z"/>'.repeat(3_000)}</g>`,
    `<path d="${"M0 0 9 9 ".repeat(500)}" marker-mid="url(#m)"/>`,
    '<g filter="url(#s)"><rect/></g>'.repeat(40),
  ].join("");
  assert.deepEqual(clean(drawn).warnings, []);
});
