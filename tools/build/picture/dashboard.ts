/*
 * Photographs the Overview of the dashboard for the README: docs/dashboard.png, or the file that is named. A client goes over its
 * limit. Run by hand when the page changes: `npm run build && npx tsx tools/build/picture/dashboard.ts`. It needs
 * Chromium; the second word is its path.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright-core'
import { commandWords, root } from '../../program/pet-mock.ts'

const [file = `${root}docs/dashboard.png`, executablePath = '/usr/bin/chromium'] = process.argv.slice(2)
const flags = ['--port', '0', '--scenario', 'rate-limit-exhaustion', '--log-format', 'json']
const server = spawn(process.execPath, [...commandWords, ...flags, '--clock', '2026-03-02T09:00:00Z'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const { url, admin } = await readyLine(server)
  await makeCalls(url, admin)
  await photograph(`${admin}/#/overview`)
} finally {
  server.kill()
}

async function readyLine({
  stdout,
}: ChildProcess): Promise<{ readonly url: string; readonly admin: string }> {
  if (stdout === null) throw new Error('The server has no output')
  for await (const line of createInterface(stdout)) {
    const entry = JSON.parse(line)
    if (entry.event === 'ready') {
      stdout.resume()
      return entry
    }
  }
  throw new Error('The server ended')
}

/** A small day of a client: lists, a search, a pet, a mistake, and more calls than the plan allows. */
async function makeCalls(url: string, admin: string): Promise<void> {
  const call = (path: string, key: string, init: RequestInit = {}) =>
    fetch(url + path, { ...init, headers: { ...init.headers, Authorization: `Bearer ${key}` } })
  const json = { 'Content-Type': 'application/json' }
  const body = '{"name":"Rex","categoryId":1,"status":"available"}'
  for (const calls of [6, 14, 3, 0, 22, 9, 30]) {
    for (let made = 0; made < calls; made += 1) await call('/pets?limit=20', 'demo-pro')
    await fetch(`${admin}/clock/advance`, { method: 'POST', headers: json, body: '{"by":"1m"}' })
  }
  for (const path of ['/pets?status=sold', '/pets/7', '/pets/999']) await call(path, 'demo-pro')
  await call('/pets', 'demo-pro', { method: 'POST', headers: json, body })
  await call('/store/orders', 'demo-pro')
  await call('/pets?limit=500', 'demo-pro')
  for (const page of [1, 2, 3]) await call(`/pets?limit=${page}0`, 'demo-free')
  await call('/pets', 'demo-business', { headers: { Prefer: 'code=503' } })
  for (let count = 0; count < 3; count += 1) await call('/pets?limit=40', 'demo-free')
  await call('/pets/101', 'demo-pro')
  await call('/pets', 'nobody')
}

async function photograph(url: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--no-proxy-server'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
    await page.goto(url)
    await page.getByText('had made 60').first().waitFor()
    await page.getByText('early-retry').first().waitFor()
    await page.getByText('1 refused').waitFor()
    await page.screenshot({ path: file })
  } finally {
    await browser.close()
  }
}
