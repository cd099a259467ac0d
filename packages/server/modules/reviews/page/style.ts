/** Supports light and dark mode, forced colors, narrow screens and print. */
export const style = `
:root { color-scheme: light dark; --ground: light-dark(#f5f6f8, #111419); --card: light-dark(#fff, #1a1e25);
  --ink: light-dark(#18202b, #e9ecf1); --soft: light-dark(#535f70, #a3aebd); --line: light-dark(#dde2e9, #2e3540);
  --edge: light-dark(#6a7585, #8c97a6); --accent: light-dark(#1f4fc4, #93b4ff); --mute: light-dark(#eceff3, #262c35);
  font: 1rem/1.55 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); overflow-wrap: anywhere }
main { width: min(50rem, 100% - 2rem); margin: 2.5rem auto 4rem; display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr) }
main.note { width: min(32rem, 100% - 2rem); margin-top: 14vh }
h1, h2, h3, h4, p, dl, dd, ul, ol, blockquote, fieldset { margin: 0 }
h1 { font-size: clamp(1.5rem, 5vw, 2rem); line-height: 1.2; letter-spacing: -.01em; text-wrap: balance }
h2 { font-size: 1.2rem; line-height: 1.3 } :is(h3, h4) { font-size: 1rem; line-height: 1.4 }
.soft { color: var(--soft) } .small { font-size: .9rem }
header { display: grid; gap: .6rem }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; list-style: none } nav a { display: inline-block; min-height: 1.5rem }
section { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; padding: 1.35rem; border: 1px solid var(--line); border-radius: .9rem; background: var(--card); scroll-margin-top: 1rem }
.list { display: grid; gap: .9rem; padding: 0; list-style: none } .list > li { display: grid; gap: .3rem; padding-top: .9rem; border-top: 1px solid var(--line) }
.list > li:first-child { padding-top: 0; border-top: 0 }
.tag { justify-self: start; padding: .1rem .55rem; border: 1px solid var(--edge); border-radius: 1rem; font-size: .82rem; font-weight: 600 }
.notice { padding: .7rem .9rem; border-inline-start: .3rem solid var(--accent); border-radius: .4rem; background: var(--mute); font-weight: 600 }
.values { display: grid; gap: .2rem } del { color: var(--soft) } ins { text-decoration: none; font-weight: 600 }
blockquote { padding-inline-start: .8rem; border-inline-start: 3px solid var(--line); color: var(--soft); white-space: pre-line }
.text { white-space: pre-line }
form { display: grid; gap: .8rem } label { display: grid; gap: .3rem; font-weight: 600 } .row { display: flex; flex-wrap: wrap; gap: .6rem }
:is(input, textarea, select) { width: 100%; min-height: 2.75rem; padding: .5rem .7rem; border: 1px solid var(--edge); border-radius: .6rem; background: var(--card); color: var(--ink); font: inherit } textarea { min-height: 6.5rem }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: .4rem .9rem; border: 1px solid var(--edge); border-radius: .6rem; background: var(--card); color: var(--ink); font: inherit; font-weight: 600; line-height: 1.25; text-decoration: none; cursor: pointer }
:is(button, .button):hover { background: var(--mute) }
a { color: var(--accent); text-underline-offset: .15em }
:is(a, button, summary, input, textarea, select, .notice, iframe):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .4rem }
details { border-top: 1px solid var(--line); padding-top: .8rem } summary { min-height: 1.75rem; cursor: pointer; font-weight: 600 }
.texts { display: grid; gap: 1.1rem; margin-top: .9rem } .part { display: grid; gap: .35rem }
.part dl { display: grid; grid-template-columns: minmax(7rem, 11rem) 1fr; gap: .2rem 1rem; font-size: .95rem } .part dt { color: var(--soft) } .part dd { white-space: pre-line }
.part-head { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; align-items: baseline } :is(.part-head, .values, .list) a { display: inline-block; min-height: 1.5rem }
.frames:not([hidden]) { display: grid; grid-template-columns: 1fr 1fr; gap: .9rem } .frames > div { display: grid; gap: .35rem } iframe { width: 100%; height: 38rem; border: 1px solid var(--line); border-radius: .6rem }
.replies { display: grid; gap: .8rem; margin: .5rem 0 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); list-style: none }
@media (max-width: 40rem) { :is(.frames:not([hidden]), .part dl) { grid-template-columns: minmax(0, 1fr) } .part dd { margin-bottom: .5rem } section { padding: 1.1rem } }
@page { margin: 1.8cm }
@media print {
  :root { color-scheme: light; font-size: 10pt } body { background: none } main { display: block; width: auto; margin: 0 }
  nav, form, .button, .frames:not([hidden]), .comment-on { display: none } details::details-content { content-visibility: visible; block-size: auto }
  section { display: block; padding: 1rem 0; border: 0; border-top: 1px solid; border-radius: 0 } section > * + * { margin-top: .6rem }
  :is(h2, h3, summary) { break-after: avoid } :is(li, .part, dl) { break-inside: avoid } summary { list-style: none }
}
`;
