/// <reference types="jest" />

/** The page at `/docs` and all that it loads come from the service itself, and scripts stand in files of their own. */
export async function expectReferencePage(url: string): Promise<void> {
  const page = await fetch(`${url}/docs`);
  expect(page.headers.get('content-type')).toBe('text/html;charset=utf-8');
  const policy = page.headers.get('content-security-policy');
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
  expect(policy).not.toContain('unsafe');
  const html = await page.text();
  expect(html).not.toMatch(/<script>|<style|style=|\bon\w+=|\/\/(?!\S*docs\/)/);
  const loaded = [...html.matchAll(/(?:src|href|data-document)="(docs\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(new Set(loaded).size).toBe(5);
  for (const path of loaded) {
    const answer = await fetch(`${url}/${path}`);
    expect([path, answer.status, answer.headers.get('x-content-type-options')]).toEqual([path, 200, 'nosniff']);
    expect((await answer.text()).length).toBeGreaterThan(100);
  }
  const script = await fetch(`${url}/docs/swagger-ui-bundle.js`);
  expect(script.headers.get('cache-control')).toBe('public, max-age=3600');
  for (const path of ['docs/package.json', 'docs/..%2fpackage.json', 'docs/constructor'])
    expect([path, (await fetch(`${url}/${path}`)).status]).toEqual([path, 404]);
}
