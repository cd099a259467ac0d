import { type Markup, markup, toStyleSource } from "../../../../../platform/text/markup.ts";
import { pick, toAnswers } from "./answers.ts";
import {
  type AuditPackage,
  headOf,
  toErased,
  listNamedFiles,
  proofPath,
  describeSelection,
  toLineText,
  toPeriod,
  toReadable,
  versionPath,
} from "./package.ts";
import type { PackageRecord } from "./records.ts";
import { style } from "./style.ts";
import type { Words } from "../words/words.ts";

export interface IndexedVersion {
  version: number;
  hash: string;
  /** The names of configurations by identifier. */
  names: ReadonlyMap<string, string>;
}

/** Allows only the inline style: no scripts, requests or forms. */
const policy = `default-src 'none'; style-src ${toStyleSource(style)}; base-uri 'none'; form-action 'none'`;

const brand = markup`<p class="brand"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 2 4 5v6c0 5 3.4 9.4 8 11 4.6-1.6 8-6 8-11V5z"/><path d="m8 12 3 3 5-6"/></svg>Avow</p>`;

/** The head of the index, up to the rows of its table. */
export function toIndexHead(auditPackage: AuditPackage): Markup {
  const { words, project, selection, survey } = auditPackage;
  const { chosen, table } = words;
  const [before, after] = words.lead;
  const pending = survey.pending.size;
  return markup`<!doctype html>
<html lang="${words.lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${words.title} · ${toLineText(project.title)}</title>
<style>${{ html: style }}</style>
</head>
<body>
<header>${brand}</header>
<main>
<h1>${words.title}</h1>
<p class="lead">${before}<bdi>${project.title}</bdi>${after}</p>
${toFacts(auditPackage)}
<h2>${chosen.title}</h2>
${toChosen(auditPackage)}
<p>${chosen.basis}</p>
<h2 id="consents">${table.title}</h2>
${pending > 0 ? markup`<p class="note">${words.pending(words.number(pending))}</p>` : undefined}
${selection.ids.length === 0 ? markup`<p>${table.none}</p>` : markup`<p>${table.withdrawnNote}</p>`}
<table>
<thead><tr>${toColumns(words).map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
`;
}

function toFacts(auditPackage: AuditPackage): Markup {
  const { words, project, selection, survey } = auditPackage;
  const { facts } = words;
  const { method } = selection;
  const head = headOf(auditPackage);
  const pending = survey.pending.size;
  const proven = words.number(selection.ids.length - pending);
  const rows: [string, Markup][] = [
    [facts.project, markup`<bdi>${project.title}</bdi> <code>${project.id}</code>`],
    [facts.holds, markup`<bdi>${describeSelection(auditPackage)}</bdi>`],
    [facts.period, markup`${toPeriod(selection, words)}`],
  ];
  if (method.kind === "sample")
    rows.push([facts.seed, markup`<code><bdi>${method.seed}</bdi></code>`]);
  rows.push(
    [facts.requestedBy, markup`<bdi>${auditPackage.requestedBy.name}</bdi>`],
    [facts.requestedAt, markup`${toReadable(auditPackage.requestedAt, words)}`],
    [facts.proven, markup`${words.provenOf(proven, words.consents(selection.ids.length))}`],
  );
  if (pending > 0) rows.push([facts.pending, markup`${words.number(pending)}`]);
  for (const text of toErased(auditPackage)) rows.push([facts.erased, markup`${text}`]);
  rows.push(
    [facts.log, markup`<code>${head.origin}</code>`],
    [facts.tree, markup`${words.number(head.size)}`],
    [facts.signedAt, markup`${toReadable(head.signed_at, words)}`],
  );
  return markup`<dl class="facts">
${rows.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

function toColumns({ table }: Words): string[] {
  const { time, person, what, answer, grade, version, files } = table;
  return [time, person, what, answer, grade, version, files];
}

function toChosen({ selection, words }: AuditPackage): Markup {
  const { method } = selection;
  const { chosen } = words;
  if (method.kind !== "sample") return markup`<p>${chosen[method.kind]}</p>`;
  const { size, population, isOwnSeed } = method;
  return markup`<p>${chosen.sample(words.number(size), words.number(population))}</p>
<p>${isOwnSeed ? chosen.ownSeed : chosen.givenSeed}</p>`;
}

/** One consent as a row of the index. */
export function toIndexRow(
  one: PackageRecord,
  words: Words,
  version: IndexedVersion | undefined,
): Markup {
  const { row, record } = one;
  const { table } = words;
  const time = row.created_at.toISOString();
  const url = record.url ?? "";
  const name = version?.names.get(row.identifier) ?? row.identifier;
  const page = url === "" ? undefined : markup`<small><bdi>${url}</bdi></small>`;
  const asked = markup`<bdi>${name}</bdi><small>${pick(words.collections, row.collection)}</small>${page}`;
  const shown = version
    ? markup`<a href="#version-${version.version}">${version.version}</a>`
    : markup`${table.unpublished}`;
  const day = markup`<time datetime="${time}">${time.slice(0, 10)} ${time.slice(11, 19)}</time>`;
  return markup`<tr id="${row.id}">
${toCell(table.time, markup`${day}<small>${row.id}</small>`, "time")}
${toCell(table.person, markup`<bdi>${row.token}</bdi>`)}
${toCell(table.what, asked)}
${toCell(table.answer, toAnswerList(one, words), "said")}
${toCell(table.grade, markup`${pick(words.grades, record.grade)}`)}
${toCell(table.version, shown)}
${toCell(table.files, toFileCell(one, words), "files")}
</tr>
`;
}

/** A cell, labelled with its column for narrow screens. */
function toCell(label: string, value: Markup, kind = ""): Markup {
  return markup`<td data-label="${label}" class="${kind}"><div>${value}</div></td>`;
}

function toAnswerList(one: PackageRecord, words: Words): Markup {
  const answers = toAnswers(one, words).map(({ name, answer, isAccepted }) => {
    const asked = name === "" ? undefined : markup`<bdi>${name}</bdi>: `;
    return markup`<li class="${isAccepted ? "yes" : "no"}">${asked}${answer}</li>`;
  });
  return markup`<ul class="answers">${answers}</ul>`;
}

function toFileCell({ row, place, isProven }: PackageRecord, { table }: Words): Markup {
  if (!place) return markup`<span class="wait">${table.pending}</span>`;
  const link = markup`<a href="${proofPath(row.id)}">${table.proof}</a>`;
  if (isProven) return link;
  return markup`${link} <strong class="broken">${table.unproven}</strong>`;
}

/** The part between the table and the published texts. */
export function toShownHead({ words, survey }: AuditPackage): Markup {
  const { shown } = words;
  return markup`</tbody>
</table>
<h2>${shown.title}</h2>
<p>${survey.shown.size > 0 ? shown.lead : shown.none}</p>
`;
}

/** A published version with the texts that were shown. */
export function toVersion(
  { version, hash, publishedAt }: { version: number; hash: string; publishedAt: Date },
  configurations: readonly { name: string; identifier: string; texts: Markup }[],
  words: Words,
): Markup {
  const { shown } = words;
  const parts = configurations.map(
    ({ name, identifier, texts }) =>
      markup`<h4><bdi>${name}</bdi> <code>${identifier}</code></h4>\n${texts}\n`,
  );
  return markup`<section class="version" id="version-${version}">
<h3>${shown.version(String(version), toReadable(publishedAt, words))}</h3>
<p class="file"><a href="${versionPath(hash)}">${shown.file}</a> <code>${hash}</code></p>
${parts}</section>
`;
}

/** The end of the index: how to verify, what is not proven, and the list of files. */
export function toIndexEnd(auditPackage: AuditPackage): Markup {
  const { check, limits, files, footer } = auditPackage.words;
  const [key = ""] = headOf(auditPackage).keys;
  const listed = listNamedFiles(auditPackage).map(
    ([name, what]) => markup`<dt>${toFileLink(name)}</dt><dd>${what}</dd>\n`,
  );
  return markup`<h2>${check.title}</h2>
<ol class="steps">
<li>${check.key}<pre>${key}</pre></li>
<li>${check.page} <a href="verifier.html">${check.pageLink}</a></li>
<li>${check.command}<pre>avow verify . --key KEY</pre></li>
<li>${check.sums}<pre>sha256sum -c SHA256SUMS</pre></li>
<li>${check.kept}</li>
</ol>
<h2>${limits.title}</h2>
<ul>
${limits.items.map((item) => markup`<li>${item}</li>\n`)}</ul>
<h2>${files.title}</h2>
<dl class="list">
${listed}</dl>
</main>
<footer><p>${footer}</p></footer>
</body>
</html>
`;
}

function toFileLink(name: string): Markup {
  return name.endsWith("/") ? markup`${name}` : markup`<a href="${name}">${name}</a>`;
}
