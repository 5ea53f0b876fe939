import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { routeGroups, routes } from '../../src/doors/admin/routes/routes.ts'
import { firstSentence, withRoutesTable } from '../../tools/build/docs-tables.ts'

const page = readFileSync('docs/admin.md', 'utf8')

describe('docs/admin.md has a row for each route', () => {
  test.each(routes.map(({ method, path, about }) => ({ name: `${method} ${path.slice(1)}`, about })))(
    '$name',
    ({ name, about }) => {
      const row = page.split('\n').find(line => line.startsWith(`- \`${name}\`: `))
      expect(row?.endsWith(`: ${firstSentence(about)}`), 'npm run generate writes it').toBe(true)
    },
  )

  test('and none for another', () => {
    expect(withRoutesTable(page, routeGroups)).toBe(page)
    const [shorter = { name: '', about: '', routes: [] }, ...others] = routeGroups
    expect(withRoutesTable(page, [{ ...shorter, routes: shorter.routes.slice(1) }, ...others])).not.toBe(page)
  })
})
