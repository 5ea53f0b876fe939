import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)

test('docs/scenarios.md lists every shipped scenario', () => {
  const page = readFileSync(new URL('docs/scenarios.md', root), 'utf8')
  const [, list = ''] = /^## Shipped scenarios\n([\s\S]*?)^## /m.exec(page) ?? []
  const named = [...list.matchAll(/^- (.+?):/gm)].flatMap(([, names = '']) => names.match(/[a-z-]+/g) ?? [])
  const shipped = readdirSync(new URL('scenarios/', root)).map(file => file.replace(/\.yaml$/, ''))
  expect(named.sort()).toEqual(shipped.sort())
})
