interface Snippet {
  /** Without a slash at its end. */
  serviceUrl: string;
  projectId: string;
  /** The script that holds the tags of vendors with hosts until consent; undefined if the project has no such vendor. */
  blockUrl: string | undefined;
  isStaging?: boolean;
}

/** The lines for the start of a page's head. They load the widget, and before it the script that holds tags (docs/guides/block-tags.md). */
export function toSnippet({ serviceUrl, projectId, blockUrl, isStaging }: Snippet): string {
  const environment = isStaging ? ' data-environment="staging"' : "";
  return [
    ...toBlockLines(blockUrl),
    `<script src="${serviceUrl}/widget.js" data-project="${projectId}"${environment} async></script>`,
  ].join("\n");
}

/** The lines that hold tags. The empty policy has Chromium request nothing ahead of them. */
export function toBlockLines(blockUrl: string | undefined): readonly string[] {
  if (blockUrl === undefined) return [];
  return [
    '<meta http-equiv="Content-Security-Policy" content="" />',
    `<script src="${blockUrl}" data-block="auto"></script>`,
  ];
}
