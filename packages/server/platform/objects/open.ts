import type { Config } from "../../config.ts";
import { openFolderObjects } from "./folder.ts";
import type { Objects } from "./objects.ts";

/**
 * Opens the storage that the settings name.
 * @throws StartError when it cannot be used
 */
export async function openObjects(
  config: Config["objects"],
  now: () => Date,
): Promise<Objects & Disposable> {
  if (config.kind === "folder") {
    const objects = await openFolderObjects({ root: config.root, now });
    return { ...objects, [Symbol.dispose]: () => undefined };
  }
  // Loading the SDK takes longer than starting everything else.
  const { openS3Objects } = await import("./s3.ts");
  return openS3Objects(config);
}
