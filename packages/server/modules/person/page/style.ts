/**
 * Supports light and dark mode, forced colors, narrow screens and print. Answers have no colors of their own: none of
 * them is good or bad, and the buttons for them are alike.
 */
export const style = `
:root { color-scheme: light dark; --ground: light-dark(#f5f6f8, #111419); --card: light-dark(#fff, #1a1e25);
  --ink: light-dark(#18202b, #e9ecf1); --soft: light-dark(#535f70, #a3aebd); --line: light-dark(#dde2e9, #2e3540);
  --edge: light-dark(#6a7585, #8c97a6); --accent: light-dark(#1f4fc4, #93b4ff); --mute: light-dark(#eceff3, #262c35);
  --good: light-dark(#146c43, #7fd8a8); --bad: light-dark(#8d2b33, #ffa6a6);
  font: 1rem/1.55 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); overflow-wrap: anywhere }
main { width: min(46rem, 100% - 2rem); margin: 2.5rem auto 4rem; display: grid; gap: 1.25rem }
main.note { width: min(32rem, 100% - 2rem); margin-top: 14vh }
h1, h2, h3, p, dl, dd, ul, table { margin: 0 }
h1 { font-size: clamp(1.5rem, 5vw, 2rem); line-height: 1.2; letter-spacing: -.01em; text-wrap: balance }
h2 { font-size: 1.2rem; line-height: 1.3 } h3 { font-size: 1rem; line-height: 1.4 }
.soft { color: var(--soft) } .small { font-size: .9rem }
header { display: grid; gap: .6rem }
.brand { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center } .brand img { max-width: 12rem; max-height: 3rem; width: auto } .brand a { margin-inline-start: auto }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; list-style: none } nav a { display: inline-block; min-height: 1.5rem }
section { display: grid; gap: 1rem; padding: 1.35rem; border: 1px solid var(--line); border-radius: .9rem; background: var(--card); scroll-margin-top: 1rem }
.head { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; align-items: baseline }
.items { padding: 0; list-style: none }
.items li, .all, .right { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .5rem 1.25rem; align-items: center }
.items li { padding: .8rem 0; border-top: 1px solid var(--line) } .items li:last-child { padding-bottom: 0 }
.items li:first-child { padding-top: 0; border-top: 0 } .all + .items li:first-child { padding-top: 1rem; border-top: 1px solid var(--line) }
.right + .right { padding-top: 1rem; border-top: 1px solid var(--line) }
.right > div { display: grid; gap: .35rem } .right { align-items: start; scroll-margin-top: 1rem }
.name, .status { font-weight: 600 }
.row { display: flex; flex-wrap: wrap; gap: .5rem }
.choice { display: grid; grid-template-columns: 9.5rem 9.5rem; gap: .5rem } :is(.choice, .row) * { overflow-wrap: normal }
button, .button, .chosen { display: inline-flex; align-items: center; justify-content: center; gap: .4rem; min-height: 2.75rem; padding: .4rem .8rem; border: 1px solid var(--edge); border-radius: .6rem; background: var(--card); color: var(--ink); font: inherit; font-weight: 600; line-height: 1.25; text-align: center; text-decoration: none; cursor: pointer }
:is(button, .button):hover { background: var(--mute) }
.chosen { border-color: transparent; background: var(--mute); color: var(--ink); cursor: default } .chosen::before { content: "✓" }
a { color: var(--accent); text-underline-offset: .15em }
:is(a, button, summary, .right, .saved):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .4rem }
:is(.saved, .notice) { padding: .7rem .9rem; border-inline-start: .3rem solid var(--accent); border-radius: .4rem; background: var(--mute) }
.saved { display: flex; flex-wrap: wrap; gap: .6rem 1rem; justify-content: space-between; align-items: center; scroll-margin-top: 5rem }
.saved p { font-weight: 600 } .saved form { flex: 0 1 auto }
.verdict { font-weight: 600 } .verdict.good { color: var(--good) } .verdict.bad { color: var(--bad) }
details .items { margin-top: .9rem }
.others { display: grid; border: 0; padding: 0 } .others > summary h2 { display: inline; font-size: 1rem } .others > :is(p, section) { margin-top: 1rem }
summary { min-height: 1.75rem } td a, .facts a, li a { display: inline-block; min-height: 1.5rem }
.facts { display: grid; grid-template-columns: minmax(7rem, 11rem) 1fr; gap: .2rem 1rem } .facts dt { color: var(--soft) } .facts dd { white-space: pre-line }
details { border-top: 1px solid var(--line); padding-top: .8rem } summary { cursor: pointer; font-weight: 600; color: var(--soft) }
.words { display: grid; gap: .9rem; margin-top: .9rem; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line) }
.words dl { display: grid; grid-template-columns: minmax(7rem, 11rem) 1fr; gap: .2rem 1rem; font-size: .95rem }
.words dt { color: var(--soft) } .words dd { white-space: pre-line }
.scroll { overflow-x: auto }
table { width: 100%; border-collapse: collapse; font-size: .95rem }
th { text-align: start; color: var(--soft); font-weight: 600; font-size: .85rem }
th, td { padding: .55rem .9rem .55rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
tr:last-child td { border-bottom: 0 } table { overflow-wrap: break-word } td a { margin-inline-end: .9rem }
@media (max-width: 34rem) {
  .items li, .all, .right { grid-template-columns: 1fr } .choice { grid-template-columns: 1fr 1fr } :is(.items li > form:not(.choice), .right) { display: grid }
  :is(.words dl, .facts) { grid-template-columns: 1fr } :is(.words, .facts) dd { margin-bottom: .5rem } .saved form { flex: 1; display: grid } section { padding: 1.1rem }
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden }
  tr { display: grid; padding: .7rem 0; border-bottom: 1px solid var(--line) } tr:last-child { border-bottom: 0 } td { border: 0; padding: .1rem 0 }
}
@media (forced-colors: active) { .chosen { border: 2px solid } }
@page { margin: 1.8cm }
@media print {
  :root { color-scheme: light; font-size: 10pt } body { background: none } main { display: block; width: auto; margin: 0 }
  nav, form, .choice, .button, .all { display: none } details::details-content { content-visibility: visible; block-size: auto }
  section { display: block; padding: 1rem 0; border: 0; border-top: 1px solid; border-radius: 0 } section > * + * { margin-top: .6rem }
  :is(h2, h3, summary) { break-after: avoid } :is(li, tr, .right, dl) { break-inside: avoid } summary { list-style: none; color: inherit }
  a { color: inherit } a[href^="http"]::after { content: " (" attr(href) ")"; font-size: .85em }
}
@media (prefers-reduced-motion: no-preference) { button { transition: background-color .12s } }
`;
