import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { fieldsOf } from '../src/pages/channels/schema/fields.ts';
import { SchemaFields } from '../src/pages/channels/schema/schema-fields.tsx';
import { valuesOf } from '../src/pages/channels/schema/values.ts';

const properties = {
  url: { type: 'string', format: 'uri', title: 'Endpoint URL' },
  secret: { type: 'string', writeOnly: true, description: 'Made here when it is left out' },
  retries: { type: 'integer', minimum: 0, maximum: 9, default: 3 },
  level: { enum: ['low', '<b>high</b>'] },
  quiet: { type: 'boolean', default: true },
  headers: { type: 'object' },
};

/** The form as a browser first gets it. */
function render(problems: { [name: string]: string } = {}, isNew = true): string {
  const fields = fieldsOf({ required: ['url', 'level'], properties }, isNew);
  const values = valuesOf(fields, undefined);
  const form = createElement(SchemaFields, { fields, values, problems, change: () => {} });
  return renderToStaticMarkup(createElement(MantineProvider, null, form));
}

/** The input, select or text area that a label is for, as it is written. */
function controlOf(html: string, label: string): string {
  const id = html.match(new RegExp(`<label[^>]* for="([^"]+)"[^>]*>${label}`))?.[1];
  return html.match(new RegExp(`<(?:input|select|textarea)[^>]*\\bid="${id}"[^>]*>`))?.[0] ?? '';
}

it('each setting has a field of its kind, by the name that its label gives it', () => {
  const html = render();
  expect(controlOf(html, 'Endpoint URL')).toMatch(/inputMode="url".*required=""/);
  expect(controlOf(html, 'Level')).toMatch(/^<select.*required=""/);
  expect(controlOf(html, 'Secret \\(optional\\)')).toMatch(/autoComplete="new-password" type="password"/);
  expect(controlOf(html, 'Retries \\(optional\\)')).toMatch(/inputMode="numeric".*value="3"/);
  expect(controlOf(html, 'Quiet')).toMatch(/type="checkbox".*checked=""/);
  expect(controlOf(html, 'Headers \\(optional\\)')).toMatch(/^<textarea/);
  expect(html).toContain('Made here when it is left out');
  expect(html).toContain('From 0 to 9');
  expect(html).toContain('&lt;b&gt;high&lt;/b&gt;');
});

it('what is wrong stands at its field alone', () => {
  const html = render({ url: 'Must be public.' });
  expect(html).toContain('Must be public.');
  expect(controlOf(html, 'Endpoint URL')).toContain('aria-invalid="true"');
  expect(controlOf(html, 'Level')).not.toContain('aria-invalid');
});

it('a secret that is there already says that it stays', () => {
  expect(render({}, false)).toContain('Left empty, it stays as it is.');
  expect(render()).not.toContain('Left empty, it stays as it is.');
});
