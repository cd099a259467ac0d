/** Supports light and dark mode, narrow screens and print. */
export const style = `
:root { color-scheme: light dark; --ground: light-dark(#f5f6f8, #111419); --card: light-dark(#fff, #1a1e25);
  --ink: light-dark(#18202b, #e9ecf1); --soft: light-dark(#535f70, #a3aebd); --line: light-dark(#dde2e9, #2e3540);
  --accent: light-dark(#1f4fc4, #93b4ff); --on-accent: light-dark(#fff, #0e131b);
  --yes: light-dark(#146c43, #7fd8a8); --yes-ground: light-dark(#e3f4ea, #15301f);
  --no: light-dark(#8d2b33, #ffa6a6); --no-ground: light-dark(#fbe9ea, #3a1a1d); --mute-ground: light-dark(#eceff3, #262c35);
  font: 1rem/1.55 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); overflow-wrap: anywhere }
main { width: min(46rem, 100% - 2rem); margin: 2.5rem auto 4rem; display: grid; gap: 1.25rem }
main.note { width: min(30rem, 100% - 2rem); margin-top: 18vh }
h1, h2, p, dl, dd, ul, table { margin: 0 }
h1 { font-size: clamp(1.5rem, 5vw, 2rem); line-height: 1.2; letter-spacing: -.01em; text-wrap: balance }
h2 { font-size: 1.15rem; line-height: 1.3 }
.soft { color: var(--soft) } .small { font-size: .9rem }
header { display: grid; gap: .6rem }
section { display: grid; gap: 1rem; padding: 1.35rem; border: 1px solid var(--line); border-radius: .9rem; background: var(--card) }
.head { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; align-items: baseline }
.items { padding: 0; list-style: none }
.items li { display: grid; grid-template-columns: 1fr auto; gap: .5rem 1rem; align-items: center; padding: .75rem 0; border-top: 1px solid var(--line) }
.items li:first-child { border-top: 0; padding-top: 0 } .items li:last-child { padding-bottom: 0 }
.name { font-weight: 600 } .answer { display: flex; flex-wrap: wrap; gap: .3rem .6rem; align-items: center }
.status { padding: .1rem .55rem; border-radius: 1rem; background: var(--mute-ground); color: var(--ink); font-size: .85rem; font-weight: 600 }
.status.accepted { background: var(--yes-ground); color: var(--yes) }
.status.refused, .status.withdrawn { background: var(--no-ground); color: var(--no) }
form { display: flex; flex-wrap: wrap; gap: .5rem; justify-content: flex-end }
.all { justify-content: flex-start }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: .45rem 1rem; border: 1px solid var(--accent); border-radius: .6rem; background: transparent; color: var(--accent); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer }
:is(button, .button):hover, .main { background: var(--accent); color: var(--on-accent) } .main:hover { opacity: .9 }
a { color: var(--accent); text-underline-offset: .15em }
:is(a, button, summary):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .4rem }
.saved { display: flex; flex-wrap: wrap; gap: .6rem 1rem; justify-content: space-between; align-items: center; padding: .7rem .9rem; border-inline-start: .3rem solid var(--yes); border-radius: .4rem; background: var(--yes-ground); scroll-margin-top: 5rem }
.saved p { font-weight: 600 } .saved:focus { outline: 0 } .saved form { flex: 0 1 auto }
section { scroll-margin-top: 1rem } details .items { margin-top: .9rem }
.others { display: grid; border: 0; padding: 0 } .others > summary h2 { display: inline; font-size: 1rem } .others > :is(p, section) { margin-top: 1rem }
summary { min-height: 1.75rem } td a, .facts a { display: inline-block; min-height: 1.5rem }
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
  .items li { grid-template-columns: 1fr } form { justify-content: stretch } form button { flex: 1; padding-inline: .6rem }
  :is(.words dl, .facts) { grid-template-columns: 1fr } :is(.words, .facts) dd { margin-bottom: .5rem } .saved form { flex: 1 } section { padding: 1.1rem }
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden }
  tr { display: grid; padding: .7rem 0; border-bottom: 1px solid var(--line) } tr:last-child { border-bottom: 0 } td { border: 0; padding: .1rem 0 }
}
@media print { :root { color-scheme: light } body { background: none } main { width: auto; margin: 0 } form, .button, .link, summary { display: none }
  details::details-content { content-visibility: visible; block-size: auto } section { border: 0; border-top: 1px solid; border-radius: 0; padding: 1rem 0; break-inside: avoid-page } }
@media (prefers-reduced-motion: no-preference) { button { transition: background-color .12s, color .12s } }
`;
