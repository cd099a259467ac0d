import { toHref } from "../../browser/router.ts";
import type { Column } from "../../ui/table/table.tsx";
import { consentWords } from "../../words/consents/words.ts";
import { toTokenPath } from "./paths.ts";

/** The column of tokens, each with a link to its screen. */
export function tokenColumn<Row extends { token: string }>(projectId: string): Column<Row> {
  return {
    id: "token",
    title: consentWords.value.token,
    text: ({ token }) => token,
    cell: ({ token }) => (
      <a class="row-link code cut narrow-cell" href={toHref(toTokenPath(projectId, token))}>
        {token}
      </a>
    ),
  };
}
