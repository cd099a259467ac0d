import { type Publication, type PublishJob, publishProject } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { Form } from "../../ui/forms/form.tsx";
import { Ago, Card, Copyable } from "../../ui/parts.tsx";
import { publishingWords } from "../../words/publishing/words.ts";
import { toPlain } from "../install/snippet.tsx";

interface StagingProps {
  projectId: string;
  staged: Publication | undefined;
  mayWrite: boolean;
  onStart: (job: PublishJob) => void;
}

/** The version on staging with its snippet, to review before visitors see it. */
export function StagingCard({ projectId, staged, mayWrite, onStart }: StagingProps) {
  const { staging } = publishingWords.value;
  if (!staged && !mayWrite) return null;
  return (
    <Card title={staging.title} lead={staging.lead}>
      {staged && (
        <>
          <p>
            {staging.shows(staged.version)} <Ago at={staged.publishedAt} />.
          </p>
          <Copyable text={toPlain(staged)} label={staging.snippet} />
          <p class="hint">{staging.open}</p>
        </>
      )}
      {mayWrite && (
        <Form
          submit={staging.button}
          isPlain
          onSubmit={async () => {
            const body = { environment: "staging" } as const;
            onStart(await send(publishProject, { path: { id: projectId }, body }));
          }}
        />
      )}
    </Card>
  );
}
