import { BoxEditor } from "./box.tsx";

/** Parameters of the address of an editor. */
type EditorParameters = { projectId?: string; documentId?: string };

/** The editor of a consent form. */
export default function ProcessingEditor({ projectId = "", documentId = "" }: EditorParameters) {
  return <BoxEditor kind="processings" projectId={projectId} documentId={documentId} />;
}
