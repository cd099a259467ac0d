/** A screenshot. */
export interface Shot {
  scene: string;
  file: string;
  title: string;
}

/** A page with all screenshots, grouped by scene. */
export function toGallery(shots: readonly Shot[]): string {
  const scenes = Map.groupBy(shots, ({ scene }) => scene);
  const sections = [...scenes].map(
    ([scene, taken]) =>
      `<section id="${scene}"><h2>${scene}</h2><div>${taken.map(toFigure).join("")}</div></section>`,
  );
  const links = [...scenes.keys()].map((scene) => `<a href="#${scene}">${scene}</a>`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Avow in pictures</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:root{color-scheme:light dark}body{margin:24px;font:15px/1.5 system-ui,sans-serif}nav{display:flex;flex-wrap:wrap;gap:4px 16px}
section div{display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start}figure{margin:0}img{display:block;height:420px;border:1px solid #8886;border-radius:8px}</style></head>
<body><h1>Avow in pictures</h1><p>${shots.length} pictures, by npm run screenshots.</p><nav>${links.join("")}</nav>${sections.join("\n")}</body></html>
`;
}

function toFigure({ file, title }: Shot): string {
  return `<figure><a href="${file}"><img src="${file}" alt="" loading="lazy"></a><figcaption>${title}</figcaption></figure>`;
}
