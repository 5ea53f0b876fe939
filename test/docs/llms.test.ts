import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { linksOf } from '../support/broken-links.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const llms = readFileSync(`${root}llms.txt`, 'utf8')
const { files } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))

test('llms.txt has the form of llmstxt.org', () => {
  const [title, , summary, ...rest] = llms.split('\n')
  expect(title).toBe('# pet-mock')
  expect(summary).toMatch(/^> \S/)
  const sections = rest.join('\n').split(/^## .+$/m)
  // After the first heading there are only lists of links, each with a note.
  for (const section of sections.slice(1))
    expect(section.trim().split('\n')).toEqual(
      section
        .trim()
        .split('\n')
        .map(() => expect.stringMatching(/^- \[[^\]]+\]\([^)]+\): \S.*$/)),
    )
  expect(sections.length).toBeGreaterThan(3)
})

test('llms.txt links every page of docs/, and files of the package only', () => {
  const links = linksOf(llms)
  expect(new Set(links).size).toBe(links.length)
  const pages = readdirSync(`${root}docs`).filter(name => name.endsWith('.md'))
  expect(links).toEqual(expect.arrayContaining(pages.map(name => `docs/${name}`)))
  const packed = ['README.md', 'LICENSE', ...files]
  const isPacked = (link: string) =>
    packed.some(entry => link === entry || link.startsWith(`${entry}/`)) &&
    !packed.some(entry => link.startsWith(`${entry.replace(/^!/, '')}/`) && entry.startsWith('!'))
  expect(links.filter(link => !isPacked(link))).toEqual([])
  // links.test.ts follows them.
})

test('the skill has the form of Agent Skills', () => {
  const path = 'skills/pet-mock/SKILL.md'
  const text = readFileSync(root + path, 'utf8')
  const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? []
  const { name, description, compatibility, ...others } = parse(front)
  expect(name).toBe('pet-mock')
  expect(description.length).toBeGreaterThan(50)
  expect(description.length).toBeLessThanOrEqual(1024)
  expect(compatibility.length).toBeLessThanOrEqual(500)
  expect(others).toEqual({ license: 'MIT' })
  expect(body.split('\n').length).toBeLessThan(120)
  expect(files).toEqual(expect.arrayContaining(['llms.txt', 'skills']))
})
