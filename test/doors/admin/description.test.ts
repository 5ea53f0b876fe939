import { fileURLToPath } from 'node:url'
import { lintFromString, loadConfig } from '@redocly/openapi-core'
import { describe, expect } from 'vitest'
import { routes } from '../../../src/doors/admin/routes/routes.ts'
import { adminOf } from '../../support/admin.ts'
import { serverTest as test } from '../../support/raw-http.ts'

const config = await loadConfig({
  configPath: fileURLToPath(new URL('../../support/redocly.yaml', import.meta.url)),
})

async function lint(source: string): Promise<readonly string[]> {
  const found = await lintFromString({ source, absoluteRef: '/admin.json', config })
  return found.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)
}

describe('openapi.json', () => {
  test('passes the linter, and the linter finds what is broken', async ({ open }) => {
    const { text } = await adminOf((await open()).host)('GET /openapi.json')
    expect(await lint(text)).toEqual([])
    const broken = text.replace('#/components/schemas/Clock', '#/components/schemas/Clocks')
    expect(await lint(broken)).toEqual([expect.stringMatching(/^no-unresolved-refs /)])
  })

  test('has every route with its parameters', async ({ open }) => {
    const { json } = await adminOf((await open()).host)('GET /openapi.json')
    const paths: Readonly<Record<string, Readonly<Record<string, { operationId: string }>>>> =
      json?.paths ?? {}
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path}`,
      ),
    )
    expect(described.sort()).toEqual(routes.map(({ id, method, path }) => `${id}: ${method} ${path}`).sort())
    expect(new Set(routes.map(({ id }) => id)).size).toBe(routes.length)
    expect(paths['/clock/advance']?.post).toMatchObject({
      requestBody: {
        content: { 'application/json': { schema: { properties: { by: { examples: ['60s'] } } } } },
      },
    })
  })
})
