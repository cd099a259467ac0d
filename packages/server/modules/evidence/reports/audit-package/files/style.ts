/** Supports light and dark mode, narrow screens and print. */
export const style = `
:root { color-scheme: light dark;
  --ground: light-dark(#f6f7f9, #14171c); --card: light-dark(#fff, #1c2027);
  --ink: light-dark(#1b2430, #e8ebf0); --soft: light-dark(#566273, #a0abba);
  --line: light-dark(#d9dee6, #343b46); --accent: light-dark(#2452c8, #8fb0ff);
  --yes: light-dark(#0d6b3f, #6ed3a0); --no: light-dark(#9a2a32, #ff9a9a);
  --wait: light-dark(#7d5200, #f0c066); --wait-ground: light-dark(#fdf3dc, #362c15);
  font: 1rem/1.55 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink) }
header, main, footer { width: min(76rem, 100% - 2.5rem); margin-inline: auto }
.brand { display: flex; align-items: center; gap: .5rem; margin: 0; padding-block: 1.25rem; font-weight: 650 }
.brand svg { width: 1.5rem; fill: none; stroke: var(--accent); stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round }
h1 { margin: 1rem 0 .5rem; font-size: clamp(1.75rem, 5vw, 2.4rem); line-height: 1.15; letter-spacing: -.02em; text-wrap: balance }
h2 { margin: 3rem 0 .75rem; font-size: 1.3rem; line-height: 1.3 }
h3 { margin: 0; font-size: 1.05rem }
h4 { margin: 1.25rem 0 .25rem; font-size: 1rem }
p, li { max-width: 46rem; text-wrap: pretty }
p { margin: 0 0 .75rem }
a { color: var(--accent) }
bdi, code, .text, td { overflow-wrap: anywhere }
code, pre, small, td, .text { unicode-bidi: isolate }
code, pre { font: .875em/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace }
pre { margin: .5rem 0 .75rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); white-space: pre-wrap; overflow-wrap: anywhere }
.lead { color: var(--soft) }
.note { padding: .6rem .9rem; border-radius: .5rem; background: var(--wait-ground); color: var(--wait) }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr)); gap: 1rem 1.5rem; margin: 1.5rem 0; padding: 1.25rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card) }
.facts dt { color: var(--soft); font-size: .875rem }
.facts dd { margin: 0; font-weight: 600; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse; border: 1px solid var(--line); background: var(--card); font-size: .9rem }
th, td { padding: .55rem .75rem; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top }
thead th { color: var(--soft); font-size: .8125rem; font-weight: 600; white-space: nowrap }
td.time { min-width: 11.5rem; font-variant-numeric: tabular-nums }
td.said { min-width: 11rem }
td.files { white-space: nowrap }
td small { display: block; color: var(--soft); overflow-wrap: anywhere }
ul.answers { margin: 0; padding: 0; list-style: none }
.yes::before, .no::before { display: inline-block; width: 1.25em; font-weight: 700 }
.yes::before { content: "✓"; color: var(--yes) }
.no::before { content: "✕"; color: var(--no) }
.wait { color: var(--wait) }
.broken { display: block; white-space: normal; color: var(--no) }
.version { margin-top: 1rem; padding: 1.25rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card) }
.texts { margin: .35rem 0; padding: 0 }
dl.texts { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .25rem 1.25rem }
dl.texts dt { color: var(--soft); font-size: .875rem; overflow-wrap: anywhere }
dl.texts dd { margin: 0; min-width: 0 }
h5 { margin: .9rem 0 .25rem; font-size: .925rem; color: var(--soft) }
h5 bdi { color: var(--ink) }
.vendor, .vendor + dl { margin-inline-start: 1.5rem }
.text { white-space: pre-line }
.list dt { font: .875rem/1.5 ui-monospace, Menlo, Consolas, monospace }
.list { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.5rem; margin: 0 }
.list dd { margin: 0 }
footer { padding-block: 3rem 2rem; color: var(--soft); font-size: .9rem }
@media (max-width: 46rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  table, tbody { display: block }
  table { border: 0; background: none }
  tr { display: grid; gap: .5rem; margin-bottom: 1rem; padding: 1rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--card) }
  td { display: grid; grid-template-columns: 7.5rem 1fr; gap: .75rem; padding: 0; border: 0 }
  td::before { content: attr(data-label); color: var(--soft) }
  td.time, td.said { min-width: 0 }
  dl.texts, .list { grid-template-columns: 1fr; gap: 0 }
  dl.texts dd, .list dd { margin-bottom: .5rem }
}
@media print {
  :root { color-scheme: light; font-size: 10pt }
  body { background: none }
  header, main, footer { width: auto }
  @page { size: A4 landscape; margin: 12mm }
  thead { display: table-header-group }
  thead th { white-space: normal }
  tr, .facts div, h2, h3, h4 { break-inside: avoid }
  h2, h3, h4, h5 { break-after: avoid }
  a { color: inherit }
}
`;
