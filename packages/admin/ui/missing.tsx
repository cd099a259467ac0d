import { toHref } from "../browser/router.ts";
import { Page } from "./page.tsx";
import { words } from "../words/words.ts";

/** The screen for unknown addresses, and for those that the user cannot access. */
export function Missing({ texts }: { texts?: { title: string; text: string } }) {
  const { missing } = words.value;
  const { title, text } = texts ?? missing;
  return (
    <Page title={title} lead={text} isNarrow>
      <a class="button" href={toHref("/projects")}>
        {missing.link}
      </a>
    </Page>
  );
}
