import { BoxEditor } from "./box.tsx";

/** Parameters of the address of an editor. */
type EditorParameters = { projectId?: string; documentId?: string };

/** The editor of a contract form. */
export default function ContractEditor({ projectId = "", documentId = "" }: EditorParameters) {
  return <BoxEditor kind="contracts" projectId={projectId} documentId={documentId} />;
}
