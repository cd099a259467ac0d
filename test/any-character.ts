import * as fc from "fast-check";

const SURROGATES_START = 0xd800;
const SURROGATES = 0x800;

/**
 * Any code point except a lone surrogate, as a unit of `fc.string`. fast-check's own unit "binary" is the
 * same, but fills a map with a million characters first, which takes more than a second.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10_ffff - SURROGATES })
  .map((index) => String.fromCodePoint(index < SURROGATES_START ? index : index + SURROGATES));
