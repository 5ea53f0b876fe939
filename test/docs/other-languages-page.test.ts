import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync('docs/other-languages.md', 'utf8')
const languages = ['python', 'go', 'java']
const things = ['start', 'list', '429', 'wait', 'ban', 'create', 'fault', 'explain', 'conduct', 'stop']

const sourceOf = (language: string) =>
  readdirSync(`examples/${language}`, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.(?:py|go|java)$/.test(file))
    .map(file => readFileSync(`examples/${language}/${file}`, 'utf8'))
    .join('\n')

test('every block of code is marked as not run', () => {
  const blocks = page.match(/^```\w+$/gm) ?? []
  const marked = page.match(/^<!-- not run: .+ -->\n\n```\w+$/gm) ?? []
  expect(blocks.length).toBeGreaterThan(1)
  expect(marked.length).toBe(blocks.length)
})

test('the table has ten things, with code of the examples, which run', () => {
  const [, table = ''] = /^## Ten things\n\n((?:\|.*\n)+)/m.exec(page) ?? []
  const rows = table
    .trim()
    .split('\n')
    .slice(2)
    .map(row => row.split('|').map(cell => cell.trim()))
  expect(rows.map(([, thing]) => thing)).toEqual(things)
  for (const [index, language] of languages.entries()) {
    const source = sourceOf(language)
    const code = rows.flatMap(row => [...(row[index + 2] ?? '').matchAll(/`([^`…]+)[^`]*`/g)])
    expect(code.length).toBeGreaterThan(9)
    expect(code.flatMap(([, text = '']) => (source.includes(text) ? [] : [text]))).toEqual([])
  }
})
