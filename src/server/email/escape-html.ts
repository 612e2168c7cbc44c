const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for HTML, in an element or a quoted attribute. */
export function escapeHtml(value: string): string {
  return value.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
