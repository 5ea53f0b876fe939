import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sendOverHttp } from '../../support/doors.ts'
import { requireOrSkip } from '../../support/requirements.ts'
import { serveJson } from '../../support/run-command.ts'

const person = [['Accept', 'text/html,*/*;q=0.8']] as const

async function open(context: Parameters<typeof requireOrSkip>[0], ...args: readonly string[]) {
  requireOrSkip(context, 'dist/dashboard', existsSync('dist/dashboard') || undefined)
  const { ready } = await serveJson(args)
  const { host, port } = new URL(ready.url)
  return (target: string, headers: readonly (readonly [string, string])[] = person) =>
    sendOverHttp(host.includes(':') ? host : `${host}:${port}`, {
      method: 'GET',
      target,
      headers,
      body: undefined,
    })
}

test('the command leads a browser to the dashboard, whose files are all there', async context => {
  const get = await open(context)
  expect((await get('/')).headers.location).toBe('./__admin/')
  expect((await get('/', [])).status).toBe(404)
  for (const page of ['', 'panel']) {
    const { status, text, headers } = await get(`/__admin/${page}`)
    expect([page, status, headers['content-security-policy']?.startsWith("default-src 'self'")]).toEqual([
      page,
      200,
      true,
    ])
    const named = [...text.matchAll(/(?:href|src)="\.\/(assets\/[^"]+)"/g)].map(([, file]) => file)
    expect(named.length).toBeGreaterThan(1)
    for (const file of named) {
      const asset = await get(`/__admin/${file}`, [['Accept-Encoding', 'gzip']])
      expect([file, asset.status, asset.headers['cache-control']]).toEqual([
        file,
        200,
        'public, max-age=31536000, immutable',
      ])
      if (Number(asset.headers['content-length']) > 1_000)
        expect([file, asset.headers['content-encoding']]).toEqual([file, 'gzip'])
    }
    // An address with a slash at its beginning would leave the path prefix of a proxy.
    expect(text).not.toMatch(/(?:href|src)="\/|<style|<script>|\bstyle="|\bon\w+="/)
  }
})

test('the flags say who may frame the panel, and a token closes the plane alone', async context => {
  const get = await open(context, '--cors', 'https://shop.example', '--admin-token', 'open-sesame')
  const { status, headers } = await get('/__admin/panel')
  expect([status, headers['content-security-policy']?.endsWith(' https://shop.example')]).toEqual([200, true])
  expect((await get('/__admin/panel.js')).headers['access-control-allow-origin']).toBe('*')
  expect((await get('/__admin/keys')).status).toBe(401)
  expect((await get('/__admin/')).status).toBe(200)
})
