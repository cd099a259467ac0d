import { toHref } from "../router.ts";
import { Page } from "../ui/page.tsx";
import { words } from "../words/words.ts";

/** At an address where no screen is. */
export function Missing() {
  const { missing } = words.value;
  return (
    <Page title={missing.title} lead={missing.text} isNarrow>
      <a class="button" href={toHref("/projects")}>
        {missing.link}
      </a>
    </Page>
  );
}
