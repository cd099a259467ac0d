/** Gives whoever is in front of the screen a file to keep. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun with it by then; before that, it would find nothing there.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
