import { toHref } from "../browser/router.ts";
import { Page } from "./page.tsx";
import { words } from "../words/words.ts";

/** At an address where nothing is, or nothing for whoever is signed in. */
export function Missing({ said }: { said?: { title: string; text: string } }) {
  const { missing } = words.value;
  const { title, text } = said ?? missing;
  return (
    <Page title={title} lead={text} isNarrow>
      <a class="button" href={toHref("/projects")}>
        {missing.link}
      </a>
    </Page>
  );
}
