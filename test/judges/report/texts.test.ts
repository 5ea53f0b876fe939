import { expect, test } from 'vitest'
import { writeMarkdown } from '../../../src/judges/report/markdown.ts'
import { escapeMarkup } from '../../../src/judges/report/markup.ts'

test('characters of markup are escaped', () => {
  expect(escapeMarkup(`a & <b c="d" e='f'>`)).toBe('a &amp; &lt;b c=&quot;d&quot; e=&#39;f&#39;&gt;')
})

test('Markdown without reports and without a head is empty', () => {
  expect(writeMarkdown([])).toBe('')
})
