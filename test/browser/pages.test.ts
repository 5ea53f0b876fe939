import type { Page } from 'playwright-core'
import { expect, type TestContext } from 'vitest'
import { openPage } from '../support/browser.ts'
import { serveHtml } from '../support/foreign-page.ts'
import { type ServerOptions, type TestServer, serverTest as test } from '../support/raw-http.ts'
import { toyPages } from '../support/toy-pages.ts'

const pages: ServerOptions = { pages: toyPages }

type Context = Pick<TestContext, 'skip' | 'onTestFinished'>

/** Opens a page of `name` with a frame of the server's panel or shell. Returns the text that the frame shows. */
async function frame(context: Context, { host }: TestServer, name: string, path: string): Promise<string> {
  const page = await openPage(context)
  const html = `<iframe src="http://${host}/__admin${path}"></iframe>`
  await page.goto(`http://${name}:${await serveHtml(context, html)}/`)
  const [, inner] = page.frames()
  if (inner === undefined) throw new Error('There is no frame')
  return await inner.evaluate<string>('document.body?.textContent ?? ""')
}

test.for([
  ['127.0.0.1', '/panel', 'the app ran'],
  ['localhost', '/panel', 'the app ran'],
  ['app.localhost', '/panel', 'the app ran'],
  ['shop.example', '/panel', ''],
  ['localhost', '/', ''],
  ['shop.example', '/', ''],
] as const)(
  'a page of http://%s that frames %s sees: %j',
  async ([name, path, text], { open, skip, onTestFinished }) => {
    const server = await open(pages)
    const shown = await frame({ skip, onTestFinished }, server, name, path)
    if (text === '') expect(shown).not.toContain('the app ran')
    else expect(shown).toBe(text)
  },
)

test('a page that --cors names may frame the panel', async ({ open, skip, onTestFinished }) => {
  const page = await openPage({ skip, onTestFinished })
  const port = await serveHtml({ onTestFinished }, '')
  const origin = `http://shop.example:${port}`
  const { host } = await open({ ...pages, cors: { loopback: true, listed: [origin] } })
  await page.goto(origin)
  await page.setContent(`<iframe src="http://${host}/__admin/panel"></iframe>`)
  expect(await page.frames()[1]?.locator('body').textContent()).toBe('the app ran')
})

/** What a page of another site can try with the panel's files. */
async function attack(page: Page, base: string): Promise<readonly string[]> {
  return await page.evaluate(async url => {
    const read: string[] = []
    for (const path of ['/', '/panel', '/assets/app-1.js', '/keys', '/panel.js/../keys']) {
      for (const mode of ['cors', 'no-cors'] as const) {
        const text = await fetch(url + path, { mode }).then(
          response => response.text(),
          () => '',
        )
        if (text !== '') read.push(`${path}: ${text}`)
      }
    }
    return read
  }, base)
}

test.for(['shop.example', 'localhost'])(
  'a page of http://%s with a frame of the panel reads and changes nothing of the plane',
  async (name, { open, skip, onTestFinished }) => {
    const server = await open(pages)
    const page = await openPage({ skip, onTestFinished })
    const html = `<iframe src="http://${server.host}/__admin/panel"></iframe>`
    await page.goto(`http://${name}:${await serveHtml({ onTestFinished }, html)}/`)
    const before = server.emulator.revision()
    expect(await attack(page, `http://${server.host}/__admin`)).toEqual([])
    await expect(page.evaluate('window[0].document.body.textContent')).rejects.toThrow(/cross-origin/)
    expect(server.emulator.revision()).toBe(before)
  },
)

test('a page of any origin can load panel.js, as a module and by fetch', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { host } = await open(pages)
  const page = await openPage({ skip, onTestFinished })
  const script = `<script type="module" src="http://${host}/__admin/panel.js"></script>`
  await page.goto(`http://shop.example:${await serveHtml({ onTestFinished }, script)}/`)
  expect(await page.title()).toBe('panel.js ran')
})

test('a link of another site opens the dashboard, without errors', async ({ open, skip, onTestFinished }) => {
  const { host } = await open(pages)
  const page = await openPage({ skip, onTestFinished })
  const wrong: string[] = []
  page.on('console', message => wrong.push(message.text()))
  const port = await serveHtml({ onTestFinished }, `<a href="http://${host}/">pet-mock</a>`)
  await page.goto(`http://shop.example:${port}/`)
  await page.locator('a').click()
  await page.waitForURL(`http://${host}/__admin/`)
  expect(await page.locator('body').textContent()).toBe('the app ran')
  // No opener, so the other page cannot lead this one away.
  expect(await page.evaluate('window.opener')).toBeNull()
  expect(wrong).toEqual([])
})

test('the shell runs no inline script, and makes no markup of a text', async ({
  open,
  skip,
  onTestFinished,
}) => {
  const { host } = await open(pages)
  const page = await openPage({ skip, onTestFinished })
  await page.goto(`http://${host}/__admin/`)
  const markup = `document.body.innerHTML = '<img src=x onerror="document.title = 1">'`
  await expect(page.evaluate(markup)).rejects.toThrow(/TrustedHTML/)
  const handler = `document.body.setAttribute('onclick', 'document.title = 1')`
  await expect(page.evaluate(handler)).rejects.toThrow(/TrustedScript/)
  await expect(page.evaluate(`document.body.style.color = 'red'`)).resolves.toBe('red')
  const wrong: string[] = []
  page.on('console', message => wrong.push(message.text()))
  await page.evaluate(`document.body.setAttribute('style', 'color: blue')`)
  expect(await page.evaluate('getComputedStyle(document.body).color')).not.toBe('rgb(0, 0, 255)')
  expect(wrong.join()).toContain("default-src 'self'")
})
