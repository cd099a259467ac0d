import { useState } from "preact/hooks";
import { toHref } from "../../browser/router.ts";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/parts.tsx";
import { assetWords } from "../../words/assets/words.ts";
import { Gallery } from "./gallery.tsx";
import { ChooseFiles, UploadZone } from "./uploads.tsx";
import { useUploads } from "./use-uploads.ts";

const PER_PAGE = 24;

/** The user's files. */
export default function Assets() {
  const texts = assetWords.value;
  const [revision, setRevision] = useState(0);
  const uploads = useUploads(() => setRevision((now) => now + 1));
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={
        <ChooseFiles uploads={uploads} class="button primary">
          <Icon name="plus" />
          {texts.upload}
        </ChooseFiles>
      }
    >
      <UploadZone uploads={uploads} />
      <Gallery
        perPage={PER_PAGE}
        revision={revision}
        empty={<Empty icon="picture" title={texts.emptyTitle} text={texts.empty} />}
        toTile={({ id }, inner) => (
          <a class="file-tile" href={toHref(`/assets/${id}`)}>
            {inner}
          </a>
        )}
      />
    </Page>
  );
}
