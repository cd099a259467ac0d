import { useState } from "preact/hooks";
import { hasRight, useRoles } from "../../data/projects/rights.ts";
import { Page } from "../../ui/page.tsx";
import { transferWords } from "../../words/transfers/words.ts";
import { ExportCard } from "./export.tsx";
import { ImportCard } from "./import.tsx";
import { Imports } from "./imports.tsx";

/** Exports and imports of a project. */
export default function Transfers({ projectId = "" }: { projectId?: string }) {
  const texts = transferWords.value;
  const mayImport = hasRight(useRoles(projectId), "write");
  const [revision, setRevision] = useState(0);
  return (
    <Page title={texts.title} lead={texts.lead}>
      <div class="cards">
        <ExportCard projectId={projectId} />
        {mayImport && (
          <ImportCard projectId={projectId} onStarted={() => setRevision((now) => now + 1)} />
        )}
        <Imports projectId={projectId} mayCancel={mayImport} revision={revision} />
      </div>
    </Page>
  );
}
