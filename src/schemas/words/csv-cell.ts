/**
 * A cell of CSV (RFC 4180). A text that a spreadsheet would run as a formula gets a `'` before it. Ids come from crawl
 * logs, and so from strangers (OWASP, "CSV Injection").
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const plain = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
