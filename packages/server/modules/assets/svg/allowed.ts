const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/**
 * Drawing elements (SVG 2; filter effects, masking and animation). Excluded are elements that run scripts, embed another
 * language or load something: script, foreignObject, image, feImage.
 */
export const allowedElements = words(`
  a animate animateMotion animateTransform circle clipPath defs desc ellipse feBlend feColorMatrix
  feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight
  feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology
  feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence filter g line linearGradient
  marker mask mpath path pattern polygon polyline radialGradient rect set stop style svg switch symbol
  text textPath title tspan use view
`);

/** Attributes of these elements: geometry, style, names and animation. Excluded are event handlers, and addresses except references to parts. */
export const allowedAttributes = words(`
  accumulate additive alignment-baseline amplitude attributeName attributeType azimuth baseFrequency
  baseline-shift begin bias by calcMode class clip clip-path clip-rule clipPathUnits color
  color-interpolation color-interpolation-filters cx cy d diffuseConstant direction display divisor
  dominant-baseline dur dx dy edgeMode elevation end exponent fill fill-opacity fill-rule filter
  filterUnits flood-color flood-opacity font-family font-size font-size-adjust font-stretch font-style
  font-variant font-weight from fr fx fy g1 g2 glyph-orientation-vertical gradientTransform
  gradientUnits height href id image-rendering in in2 intercept isolation k1 k2 k3 k4 kernelMatrix
  kernelUnitLength keyPoints keySplines keyTimes lang lengthAdjust letter-spacing lighting-color
  limitingConeAngle marker-end marker-mid marker-start markerHeight markerUnits markerWidth mask
  mask-type maskContentUnits maskUnits max media method min mix-blend-mode mode numOctaves offset
  opacity operator order orient origin overflow paint-order path pathLength patternContentUnits
  patternTransform patternUnits pointer-events points pointsAtX pointsAtY pointsAtZ preserveAlpha
  preserveAspectRatio primitiveUnits r radius refX refY repeatCount repeatDur restart result role
  rotate rx ry scale seed shape-rendering side slope spacing specularConstant specularExponent
  spreadMethod startOffset stdDeviation stitchTiles stop-color stop-opacity stroke stroke-dasharray
  stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width style
  surfaceScale systemLanguage tabindex tableValues target text-anchor text-decoration text-rendering
  textLength to transform transform-box transform-origin type unicode-bidi values vector-effect version
  viewBox visibility width word-spacing writing-mode x x1 x2 xChannelSelector xlink:href xml:lang
  xml:space y y1 y2 yChannelSelector z zoomAndPan aria-label aria-labelledby aria-hidden
`);

/** Allowed CSS functions. Excluded are those that load something (url, src, image, image-set, cross-fade, element). */
export const allowedFunctions = words(`
  rgb rgba hsl hsla hwb lab lch oklab oklch color matrix matrix3d translate translatex translatey
  translate3d rotate scale scalex scaley skew skewx skewy calc min max clamp var cubic-bezier steps
  blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
  not is where nth-child nth-of-type first-child path polygon circle ellipse inset
`);
