const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');

/** Text with `code` in it and empty lines between its paragraphs. */
export function prose(text: string): string {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '');
  return paragraphs.map((paragraph) => `<p>${withCode(escapeHtml(paragraph))}</p>`).join('');
}

const withCode = (html: string): string => html.replace(/`([^`]+)`/g, '<code>$1</code>');
