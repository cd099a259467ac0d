export function watchFiles(
  _files: readonly string[],
  _run: (files: readonly string[]) => Promise<boolean>,
): Promise<number> {
  throw new Error("todo");
}
