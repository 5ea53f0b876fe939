import { expect, test } from 'vitest'
import { escapeMarkup } from '../../../src/judges/report/markup.ts'
import { writeMarkdown } from '../../../src/judges/report/write-report.ts'

test('characters of markup are escaped', () => {
  expect(escapeMarkup(`a & <b c="d" e='f'>`)).toBe('a &amp; &lt;b c=&quot;d&quot; e=&#39;f&#39;&gt;')
})

test('Markdown without reports and without a head is empty', () => {
  expect(writeMarkdown([])).toBe('')
})
