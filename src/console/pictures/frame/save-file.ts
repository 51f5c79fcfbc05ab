/** Hands a file to the browser to keep. */
export function saveFile(name: string, content: string, type = 'text/plain;charset=utf-8'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  // Some browsers lose the download if the URL is revoked at once.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
