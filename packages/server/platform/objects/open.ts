import { openFolderObjects } from "./folder.ts";
import type { Objects } from "./objects.ts";

/** Where published files are kept. */
export type ObjectsConfig =
  | {
      readonly kind: "folder";
      /** Absolute. */
      readonly root: string;
    }
  | {
      readonly kind: "s3";
      readonly bucket: string;
      /** Before each key: empty, or with a slash at its end. */
      readonly prefix: string;
      /** Undefined: AWS's own. */
      readonly endpoint: string | undefined;
      /** Undefined: where AWS's tools look for it. */
      readonly region: string | undefined;
      readonly pathStyle: boolean;
    };

/**
 * Opens the storage that the settings name.
 * @throws StartError when it cannot be used
 */
export async function openObjects(
  config: ObjectsConfig,
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
